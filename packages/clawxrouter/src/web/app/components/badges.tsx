/** Level, route and state: always a word and a shape beside the colour. */
import type { ComponentChildren } from "preact";
import type { Level } from "../../contract.ts";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { Icon, type IconName } from "./icon.tsx";

const LEVEL_ICONS: Record<Level, IconName> = { S1: "check", S2: "half", S3: "lock" };

/** @param short only `S1`, with the meaning for a screen reader */
export function LevelBadge({ level, short = false }: { level: Level; short?: boolean }) {
  const text = say(commonWords);
  return (
    <span class={`badge ${level}`} title={text.levelLong[level]}>
      <Icon name={LEVEL_ICONS[level]} size={13} />
      {level}
      {short ? <span class="visually-hidden">{text.levels[level]}</span> : ` ${text.levels[level]}`}
    </span>
  );
}

const ROUTES = { cloud: "cloud", redacted: "half", local: "home", blocked: "block" } as const;
export type RouteName = keyof typeof ROUTES;

export function isRoute(value: string): value is RouteName {
  return Object.hasOwn(ROUTES, value);
}

export function RouteBadge({ route }: { route: string }) {
  if (!isRoute(route)) return <span class="badge">{route}</span>;
  return (
    <span class={`badge ${route}`}>
      <Icon name={ROUTES[route]} size={13} />
      {say(commonWords).routes[route]}
    </span>
  );
}

export function Tag({
  children,
  tone,
  icon,
}: {
  children: ComponentChildren;
  tone?: "good" | "warn" | "bad";
  icon?: IconName;
}) {
  return (
    <span class={`badge ${tone ?? ""}`}>
      {icon !== undefined && <Icon name={icon} size={13} />}
      {children}
    </span>
  );
}
