/** A labelled control. The render function gets what ties the control to its label, help and fault. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export interface Control {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": "true" | undefined;
}

interface Props {
  label: string;
  help?: ComponentChildren;
  fault?: string | undefined;
  /** The label is for screen readers only. */
  quiet?: boolean;
  children: (control: Control) => ComponentChildren;
}

export function Field({ label, help, fault, quiet, children }: Props) {
  const id = useId();
  const notes = [help !== undefined && `${id}-help`, fault !== undefined && `${id}-fault`].filter(Boolean);
  return (
    <div class="field">
      <label for={id} class={quiet ? "visually-hidden" : undefined}>
        {label}
      </label>
      {children({
        id,
        "aria-describedby": notes.length > 0 ? notes.join(" ") : undefined,
        "aria-invalid": fault === undefined ? undefined : "true",
      })}
      {help !== undefined && (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      )}
      {fault !== undefined && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}
