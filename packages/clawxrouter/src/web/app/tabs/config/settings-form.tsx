/** A form of every setting there is, made from the schema of the file. */
import { useMemo, useState } from "preact/hooks";
import { get } from "../../api/client.ts";
import { Card } from "../../components/card.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Empty, FaultNote, Skeleton } from "../../components/notes.tsx";
import { SaveBar } from "../../components/save-bar.tsx";
import { configWords } from "../../i18n/config.ts";
import { settingName } from "../../i18n/setting-names.ts";
import { say } from "../../i18n/words.ts";
import { useDraft } from "../../state/draft.ts";
import { at } from "../../state/edits.ts";
import { place } from "../../state/location.ts";
import { useResource } from "../../state/resource.ts";
import { leavesOf, pointerOf, readSchema, type Setting } from "./schema.ts";
import { SettingField } from "./setting-field.tsx";

export function SettingsForm() {
  const text = say(configWords);
  const draft = useDraft("config");
  const schema = useResource((signal) => get("configSchema", {}, signal), "");
  const [search, setSearch] = useState("");
  const [faulty, setFaulty] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(
    () => (schema.data === undefined ? undefined : readSchema(schema.data.schema, schema.data.diskOnly)),
    [schema.data],
  );
  const wanted = search.trim().toLowerCase();
  const shows = (setting: Setting) =>
    leavesOf(setting).some((leaf) => {
      const pointer = pointerOf(leaf.path);
      const { label, help = "" } = settingName(pointer);
      return `${pointer} ${label} ${help}`.toLowerCase().includes(wanted);
    });
  const onFault = (pointer: string, bad: boolean) =>
    setFaulty((old) => {
      if (old.has(pointer) === bad) return old;
      const copy = new Set(old);
      if (bad) copy.add(pointer);
      else copy.delete(pointer);
      return copy;
    });
  const target = place.value.params.at ?? "";
  // What setup keeps for itself is in the schema and does not leave the gateway.
  const offered = (section: Setting) => at(draft.settings, section.path) !== undefined;
  const sections = tree?.kind === "group" ? tree.children.filter(offered).filter(shows) : [];
  return (
    <Card title={text.all} help={text.allHelp}>
      {schema.fault !== undefined && <FaultNote fault={schema.fault} onRetry={schema.reload} />}
      {tree === undefined && schema.fault === undefined && <Skeleton lines={8} />}
      {tree !== undefined && draft.settings !== undefined && (
        <>
          <TextInput
            label={text.find}
            quiet
            type="search"
            placeholder={text.find}
            value={search}
            onChange={setSearch}
          />
          {sections.length === 0 && <Empty title={text.noneFound} />}
          {sections.map((section) => (
            <Section
              key={pointerOf(section.path)}
              section={section}
              open={wanted !== "" || target.startsWith(pointerOf(section.path))}
            >
              {(section.kind === "group" ? section.children : [section]).filter(shows).map((setting) => (
                <SettingField
                  key={pointerOf(setting.path)}
                  setting={setting}
                  draft={draft}
                  shows={shows}
                  target={target}
                  onFault={onFault}
                />
              ))}
            </Section>
          ))}
        </>
      )}
      <SaveBar draft={draft} text={text.save} blocked={faulty.size > 0 ? text.mendJson : undefined} />
    </Card>
  );
}

function Section({
  section,
  open,
  children,
}: {
  section: Setting;
  open: boolean;
  children: preact.ComponentChildren;
}) {
  return (
    <details class="section" open={open}>
      <summary>{settingName(pointerOf(section.path)).label}</summary>
      <div class="settings">{children}</div>
    </details>
  );
}
