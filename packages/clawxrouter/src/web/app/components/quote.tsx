import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { Button } from "./button.tsx";

/** A text of somebody else, as it is. A long one shows its beginning until it is opened. */
export function Quote({ children }: { children: ComponentChildren }) {
  const text = say(commonWords);
  const box = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [long, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || open) return;
    const measure = () => setLong(element.scrollHeight > element.clientHeight + 2);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [children, open]);
  return (
    <div class={`quote ${open ? "open" : ""} ${long ? "long" : ""}`}>
      <div class="quote-text" ref={box}>
        {children}
      </div>
      {long && (
        <Button small kind="quiet" expanded={open} onClick={() => setOpen(!open)}>
          {open ? text.showLess : text.showAll}
        </Button>
      )}
    </div>
  );
}
