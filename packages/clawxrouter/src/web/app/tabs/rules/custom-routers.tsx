/** The user's own routers: add, edit, delete. */
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Empty, FaultNote } from "../../components/notes.tsx";
import { ruleWords } from "../../i18n/rules.ts";
import { say } from "../../i18n/words.ts";
import { useDraft } from "../../state/draft.ts";
import { settings } from "../../state/settings.ts";
import { BUILT_IN, ID_SHAPE, newRouter } from "./router.ts";
import { RouterEditor } from "./router-editor.tsx";

export function CustomRouters() {
  const text = say(ruleWords);
  const draft = useDraft("new-router");
  const [id, setId] = useState("");
  const [opened, setOpened] = useState<string | undefined>(undefined);
  const routers = settings.value?.privacy.routers ?? {};
  const own = Object.keys(routers).filter((name) => !BUILT_IN.includes(name));
  const fault =
    id === ""
      ? undefined
      : Object.hasOwn(routers, id)
        ? text.idTaken
        : ID_SHAPE.test(id)
          ? undefined
          : text.idShape;
  const add = async (event: Event) => {
    event.preventDefault();
    if (id === "" || fault !== undefined) return;
    draft.edit((copy) => {
      copy.privacy.routers[id] = newRouter();
      copy.privacy.pipeline.onUserMessage = [...copy.privacy.pipeline.onUserMessage, id];
    });
    setOpened(id);
    setId("");
    await draft.save();
  };
  return (
    <Card title={text.customTitle} help={text.customHelp}>
      {own.length === 0 ? (
        <Empty title={text.noCustom}>
          <p>{text.noCustomHelp}</p>
        </Empty>
      ) : (
        <ul class="routers">
          {own.map((name) => (
            <li key={name}>
              <RouterEditor id={name} openAtFirst={name === opened} />
            </li>
          ))}
        </ul>
      )}
      <form class="adder router-adder" onSubmit={add}>
        <div class="grow">
          <TextInput
            label={text.newId}
            help={text.newIdHelp}
            fault={fault}
            mono
            value={id}
            onChange={setId}
          />
        </div>
        <Button type="submit" icon="plus" busy={draft.busy} disabled={id === "" || fault !== undefined}>
          {text.addCustom}
        </Button>
      </form>
      {draft.fault !== undefined && <FaultNote fault={draft.fault} onRetry={draft.discard} />}
    </Card>
  );
}
