/** A list put in order by dragging a handle, by arrow keys on it, or by the buttons beside it. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { commonWords } from "../i18n/common.ts";
import { ruleWords } from "../i18n/rules.ts";
import { say } from "../i18n/words.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Props {
  label: string;
  items: readonly string[];
  /** The first so many stay where they are. */
  pinned?: number;
  onChange: (items: string[]) => void;
  /** What stands beside an item's name. */
  detail: (item: string) => ComponentChildren;
  removable: (item: string) => boolean;
}

/** A copy with the item moved to another place. */
export function moved(items: readonly string[], from: number, to: number): string[] {
  const copy = [...items];
  const [item] = copy.splice(from, 1);
  if (item !== undefined) copy.splice(to, 0, item);
  return copy;
}

export function Sortable({ label, items, pinned = 0, onChange, detail, removable }: Props) {
  const text = say(ruleWords);
  const common = say(commonWords);
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string | undefined>(undefined);
  const [said, setSaid] = useState("");
  const move = (item: string, to: number) => {
    const from = items.indexOf(item);
    const place = Math.max(pinned, Math.min(items.length - 1, to));
    if (from < pinned || place === from) return;
    onChange(moved(items, from, place));
    setSaid(text.moved(item, place + 1, items.length));
  };
  const drag = (event: PointerEvent) => {
    if (dragged === undefined) return;
    const rows = [...(list.current?.children ?? [])];
    const under = rows.findIndex((row) => event.clientY < row.getBoundingClientRect().bottom);
    move(dragged, under < 0 ? items.length - 1 : under);
  };
  return (
    <>
      <ol class="sortable" ref={list} aria-label={label}>
        {items.map((item, at) => (
          <li key={item} class={item === dragged ? "dragged" : ""}>
            {at < pinned ? (
              <span class="handle fixed" aria-hidden="true">
                <Icon name="lock" size={15} />
              </span>
            ) : (
              <button
                type="button"
                class="handle"
                aria-label={text.handle(item, at + 1, items.length)}
                onKeyDown={(event) => {
                  const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
                  if (step === 0) return;
                  event.preventDefault();
                  const handle = event.currentTarget;
                  move(item, at + step);
                  // The row moves in the document: the focus goes with it.
                  requestAnimationFrame(() => handle.focus());
                }}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDragged(item);
                }}
                onPointerMove={drag}
                onPointerUp={() => setDragged(undefined)}
                onPointerCancel={() => setDragged(undefined)}
              >
                <Icon name="grip" size={16} />
              </button>
            )}
            <span class="place">{at + 1}</span>
            <span class="grow wrap-any">
              <strong>{item}</strong> {detail(item)}
            </span>
            {at >= pinned && (
              <span class="row">
                <Button
                  small
                  kind="quiet"
                  icon="up"
                  label={common.moveUp(item)}
                  disabled={at === pinned}
                  onClick={() => move(item, at - 1)}
                />
                <Button
                  small
                  kind="quiet"
                  icon="down"
                  label={common.moveDown(item)}
                  disabled={at === items.length - 1}
                  onClick={() => move(item, at + 1)}
                />
                {removable(item) && (
                  <Button
                    small
                    kind="quiet"
                    icon="cross"
                    label={common.removeItem(item)}
                    onClick={() => onChange(items.filter((other) => other !== item))}
                  />
                )}
              </span>
            )}
          </li>
        ))}
      </ol>
      <span class="visually-hidden" aria-live="assertive">
        {said}
      </span>
    </>
  );
}
