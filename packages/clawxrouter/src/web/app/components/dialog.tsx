import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface Props {
  title: string;
  children: ComponentChildren;
  foot: ComponentChildren;
  onClose: () => void;
}

/** A modal dialog of the browser: it keeps the focus, Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, children, foot, onClose }: Props) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = ref.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
        <div class="dialog-foot">{foot}</div>
      </div>
    </dialog>
  );
}
