import type { Settings } from "../../state/settings.ts";

export type RouterEntry = Settings["privacy"]["routers"][string];

/** Routers that come with the plugin; they have their own cards and cannot be deleted. */
export const BUILT_IN: readonly string[] = ["privacy", "token-saver"];

/** As the settings' schema wants a router's name. */
export const ID_SHAPE = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** A router that does nothing yet. */
export function newRouter(): RouterEntry {
  return {
    enabled: true,
    type: "configurable",
    weight: 60,
    keywords: { S2: [], S3: [] },
    patterns: { S2: [], S3: [] },
    options: {},
  };
}
