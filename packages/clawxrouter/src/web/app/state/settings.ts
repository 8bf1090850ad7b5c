/** clawxrouter.json as the gateway has it, kept fresh by the activity stream. */
import { computed, signal } from "@preact/signals";
import type { RouterConfig } from "../../../config-file/schema.ts";
import type { ConfigDocument } from "../../contract.ts";
import { get } from "../api/client.ts";
import { onLive } from "./live.ts";

/** All settings in force. What setup keeps for itself does not leave the gateway. */
export type Settings = Omit<RouterConfig, "managed">;

export const configDocument = signal<ConfigDocument | undefined>(undefined);
export const configFault = signal<unknown>(undefined);

/** The gateway answers with what its schema made of the file, so the type is the schema's. */
export const settings = computed(() => configDocument.value?.effective as Settings | undefined);

export async function loadConfig(): Promise<void> {
  try {
    configDocument.value = await get("config", {});
    configFault.value = undefined;
  } catch (fault) {
    configFault.value = fault;
  }
}

/** Follows changes made in other tabs, by the CLI and on disk. */
export function followConfig(): () => void {
  return onLive("config", ({ version, error }) => {
    const known = configDocument.value;
    if (known?.version !== version || (known.error === null) !== (error === null)) void loadConfig();
  });
}
