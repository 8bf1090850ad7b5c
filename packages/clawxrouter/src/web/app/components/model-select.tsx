import { modelWords } from "../i18n/models.ts";
import { say } from "../i18n/words.ts";
import { models, useModels } from "../state/models.ts";
import { Field } from "./field.tsx";

interface Reference {
  provider?: string | undefined;
  model?: string | undefined;
}

interface Props {
  label: string;
  help?: string;
  quiet?: boolean;
  /** Text of the choice of no model; absent: one must be chosen. */
  none?: string;
  value: Reference | undefined;
  /** Only models on this machine. */
  localOnly?: boolean;
  onChange: (value: { provider: string; model: string } | undefined) => void;
}

const NONE = "";

/** A model of the user's own providers. A reference to one that is not there stays visible and says so. */
export function ModelSelect({ label, help, quiet, none, value, localOnly, onChange }: Props) {
  const text = say(modelWords);
  useModels();
  const providers = (models.value?.providers ?? []).filter((provider) => !localOnly || provider.local);
  const choices = providers.flatMap((provider) =>
    provider.models.map((model) => ({ provider: provider.id, model: model.id })),
  );
  const chosen = choices.find(
    (choice) =>
      choice.model === value?.model && (value?.provider === undefined || choice.provider === value.provider),
  );
  const unknown = value?.model !== undefined && chosen === undefined;
  const unknownName = [value?.provider, value?.model].filter((part) => part !== undefined).join("/");
  return (
    <Field
      label={label}
      help={help}
      quiet={quiet}
      fault={unknown && models.value !== undefined ? text.notConfigured : undefined}
    >
      {(control) => (
        <select
          {...control}
          class="input"
          value={unknown ? unknownName : chosen === undefined ? NONE : JSON.stringify(chosen)}
          onChange={(event) => {
            const wanted = event.currentTarget.value;
            if (wanted === NONE) return onChange(undefined);
            const choice = choices.find((candidate) => JSON.stringify(candidate) === wanted);
            if (choice !== undefined) onChange(choice);
          }}
        >
          {(none !== undefined || (chosen === undefined && !unknown)) && (
            <option value={NONE}>{none ?? text.choose}</option>
          )}
          {unknown && <option value={unknownName}>{unknownName}</option>}
          {providers.map((provider) => (
            <optgroup
              key={provider.id}
              label={provider.local ? text.localProvider(provider.id) : provider.id}
            >
              {provider.models.map((model) => (
                <option key={model.id} value={JSON.stringify({ provider: provider.id, model: model.id })}>
                  {provider.id}/{model.id}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
