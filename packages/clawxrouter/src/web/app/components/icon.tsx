/** Line drawings of 24 by 24, drawn here so that no image is loaded. They say nothing by themselves: hidden from readers. */
const PATHS = {
  overview: "M4 13h6V4H4zM14 20h6v-9h-6zM4 20h6v-4H4zM14 7h6V4h-6z",
  sessions: "M5 5h14v10H10l-5 4z",
  detections: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16.2 16.2L21 21M11 8v3.5M11 14.2v.1",
  rules: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  cost: "M12 3v18M16.5 7.5c-.8-1.4-2.4-2-4.5-2-2.6 0-4.3 1.1-4.3 3 0 4.6 9 1.9 9 6.7 0 2-1.9 3.3-4.7 3.3-2.3 0-4.1-.8-4.9-2.4",
  config:
    "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.1",
  cross: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  right: "M9 5l7 7-7 7",
  left: "M15 5l-7 7 7 7",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  cloud: "M7 18a4 4 0 0 1-.5-8 5.5 5.5 0 0 1 10.6-1A4.5 4.5 0 0 1 17 18z",
  home: "M4 11l8-7 8 7v9h-5v-6H9v6H4z",
  half: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  block: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM6 6l12 12",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.3a2.7 2.7 0 1 0 0 5.4 2.7 2.7 0 0 0 0-5.4z",
  eyeOff:
    "M4 4l16 16M9.5 5.9A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.3M14.5 18.1a9 9 0 0 1-2.5.4c-6 0-9.5-6.5-9.5-6.5a15 15 0 0 1 3.3-3.9",
  tool: "M14.5 6.5a4 4 0 0 1 5-1l-2.7 2.7 1 2 2 1L22 8.5a4 4 0 0 1-5.5 4.7L9 20.5 5.5 17l7.3-7.5a4 4 0 0 1 1.7-3z",
  grip: "M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1",
  info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.8v.1",
  out: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  moon: "M19 14.5A8 8 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  shield: "M12 3l8 3v6c0 5-3.3 8-8 9.5C7.3 20 4 17 4 12V6z",
  undo: "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
  user: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  const thick = name === "grip" || name === "check";
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width={thick ? 2.6 : 1.9}
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
