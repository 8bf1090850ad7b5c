import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: string;
  help?: ComponentChildren;
  actions?: ComponentChildren;
  foot?: ComponentChildren;
  /** Columns of twelve on a wide screen. */
  width?: "w3" | "w4" | "w5" | "w6" | "w7" | "w8";
  children?: ComponentChildren;
}

/** A titled part of a tab: a region that a screen reader can jump to. */
export function Card({ title, help, actions, foot, width, children }: Props) {
  const id = useId();
  return (
    <section class={`card ${width ?? ""}`} aria-labelledby={id}>
      <div class="card-head">
        <div>
          <h2 id={id}>{title}</h2>
          {help !== undefined && <p>{help}</p>}
        </div>
        {actions !== undefined && <div class="row">{actions}</div>}
      </div>
      {children}
      {foot !== undefined && <div class="card-foot">{foot}</div>}
    </section>
  );
}
