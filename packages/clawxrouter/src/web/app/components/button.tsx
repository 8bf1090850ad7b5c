import type { ComponentChildren, Ref } from "preact";
import { Icon, type IconName } from "./icon.tsx";

interface Props {
  children?: ComponentChildren;
  icon?: IconName;
  /** Needed when there is only an icon. */
  label?: string;
  kind?: "primary" | "danger" | "quiet";
  small?: boolean;
  type?: "button" | "submit";
  disabled?: boolean;
  /** Work is under way: shown, said, and a second press does nothing. */
  busy?: boolean;
  describedBy?: string;
  expanded?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
  onClick?: (event: MouseEvent) => void;
}

export function Button({
  children,
  icon,
  label,
  kind,
  small,
  type = "button",
  disabled,
  busy,
  describedBy,
  expanded,
  buttonRef,
  onClick,
}: Props) {
  const classes = ["button", kind, small && "small", children === undefined && "icon"]
    .filter(Boolean)
    .join(" ");
  return (
    <button
      ref={buttonRef}
      type={type}
      class={classes}
      disabled={disabled}
      aria-disabled={busy ? "true" : undefined}
      aria-busy={busy ? "true" : undefined}
      aria-label={label}
      aria-describedby={describedBy}
      aria-expanded={expanded}
      title={children === undefined ? label : undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon !== undefined && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  );
}
