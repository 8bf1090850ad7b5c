import type { ComponentChildren } from "preact";

export function PageHead({
  title,
  help,
  children,
}: {
  title: string;
  help?: string;
  children?: ComponentChildren;
}) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {help !== undefined && <p>{help}</p>}
      </div>
      {children !== undefined && <div class="row">{children}</div>}
    </div>
  );
}
