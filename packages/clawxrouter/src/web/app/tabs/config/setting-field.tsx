import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ChipList } from "../../components/chip-list.tsx";
import { NumberInput, Select, TextInput } from "../../components/inputs.tsx";
import { Switch } from "../../components/switch.tsx";
import { Toggle } from "../../components/toggle.tsx";
import { commonWords } from "../../i18n/common.ts";
import { configWords } from "../../i18n/config.ts";
import { settingName } from "../../i18n/setting-names.ts";
import { say } from "../../i18n/words.ts";
import type { Draft } from "../../state/draft.ts";
import { at, type Json, put } from "../../state/edits.ts";
import type { Settings } from "../../state/settings.ts";
import { JsonField } from "./json-field.tsx";
import { pointerOf, type Setting } from "./schema.ts";

interface Props {
  setting: Setting;
  draft: Draft;
  /** Whether the search lets a setting through. */
  shows: (setting: Setting) => boolean;
  /** Pointer of the setting that a link led to. */
  target: string;
  onFault: (pointer: string, bad: boolean) => void;
}

/** One setting, or a group of them, with its name and its place in the file. */
export function SettingField({ setting, draft, shows, target, onFault }: Props) {
  const pointer = pointerOf(setting.path);
  const { label, help } = settingName(pointer);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target === pointer) box.current?.scrollIntoView({ block: "center" });
  }, [target]);
  if (setting.kind === "group") {
    return (
      <div class="setting-group" ref={box}>
        <h3>{label}</h3>
        <div class="settings">
          {setting.children.filter(shows).map((child) => (
            <SettingField
              key={pointerOf(child.path)}
              setting={child}
              draft={draft}
              shows={shows}
              target={target}
              onFault={onFault}
            />
          ))}
        </div>
      </div>
    );
  }
  const value = at(draft.settings, setting.path);
  const set = (next: Json) =>
    draft.edit((copy) => {
      Object.assign(copy, put(copy, setting.path, next) as Settings);
    });
  return (
    <div class={`setting of-${setting.kind}`} ref={box}>
      <Control
        setting={setting}
        label={label}
        help={helpOf(help, pointer)}
        value={value}
        set={set}
        onFault={(bad) => onFault(pointer, bad)}
      />
    </div>
  );
}

function helpOf(help: string | undefined, pointer: string): ComponentChildren {
  return (
    <>
      {help !== undefined && <span class="setting-help">{help}</span>}
      <code class="pointer">{pointer.slice(1).replaceAll("/", ".")}</code>
    </>
  );
}

interface ControlProps {
  setting: Exclude<Setting, { kind: "group" }>;
  label: string;
  help: ComponentChildren;
  value: Json;
  set: (value: Json) => void;
  onFault: (bad: boolean) => void;
}

function Control({ setting, label, help, value, set, onFault }: ControlProps) {
  const text = say(configWords);
  switch (setting.kind) {
    case "switch":
      return (
        <>
          <Switch label={label} on={value === true} onChange={set} />
          <span class="help">{help}</span>
        </>
      );
    case "number":
      return (
        <NumberInput
          label={label}
          help={help}
          min={setting.min}
          max={setting.max}
          step={setting.whole ? 1 : "any"}
          value={typeof value === "number" ? value : undefined}
          placeholder={setting.optional ? text.notSet : undefined}
          onChange={(next) => {
            if (next !== undefined || setting.optional) set(next);
          }}
        />
      );
    case "text":
      return (
        <TextInput
          label={label}
          help={help}
          value={typeof value === "string" ? value : ""}
          placeholder={setting.diskOnly ? text.diskOnly : setting.optional ? text.notSet : undefined}
          disabled={setting.diskOnly}
          onChange={(next) => set(next === "" && setting.optional ? undefined : next)}
        />
      );
    case "choice":
      return (
        <Select
          label={label}
          help={help}
          value={typeof value === "string" ? value : ""}
          options={setting.options.map((option) => ({ value: option, text: option }))}
          onChange={set}
        />
      );
    case "choices":
      return (
        <Choices label={label} help={help} options={setting.options} chosen={textsOf(value)} set={set} />
      );
    case "texts":
      if (setting.optional && value === undefined) {
        return (
          <div class="field">
            <span class="label">{label}</span>
            <div class="row">
              <span class="muted small">{text.notSet}</span>
              <Button small onClick={() => set([])}>
                {text.set}
              </Button>
            </div>
            <span class="help">{help}</span>
          </div>
        );
      }
      return (
        <ChipList label={label} mono items={textsOf(value)} onChange={set}>
          <span class="help">{help}</span>
          {setting.optional && (
            <span>
              <Button small kind="quiet" onClick={() => set(undefined)}>
                {text.unset}
              </Button>
            </span>
          )}
        </ChipList>
      );
    case "json":
      return <JsonField label={label} help={help} value={value} onChange={set} onFault={onFault} />;
  }
}

function textsOf(value: Json): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Detectors have names in the page; all else is shown as it stands in the file. */
function detectorName(option: string): string {
  const names: Readonly<Record<string, string>> = say(commonWords).detectors;
  return Object.hasOwn(names, option) ? (names[option] ?? option) : option;
}

interface ChoicesProps {
  label: string;
  help: ComponentChildren;
  options: readonly string[];
  chosen: readonly string[];
  set: (value: string[]) => void;
}

function Choices({ label, help, options, chosen, set }: ChoicesProps) {
  return (
    <fieldset class="field">
      <legend class="legend">{label}</legend>
      <div class="row">
        {options.map((option) => (
          <Toggle
            key={option}
            text={detectorName(option)}
            on={chosen.includes(option)}
            onChange={(on) =>
              set(options.filter((other) => (other === option ? on : chosen.includes(other))))
            }
          />
        ))}
      </div>
      <span class="help">{help}</span>
    </fieldset>
  );
}
