/** The models of the user's own providers; fetched once and again when the settings change. */
import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Models } from "../../contract.ts";
import { get } from "../api/client.ts";
import { configDocument } from "./settings.ts";

export const models = signal<Models | undefined>(undefined);
let asked: string | undefined;

export async function loadModels(): Promise<void> {
  // Without the list, references stay as they are written.
  await get("models", {}).then(
    (answer) => {
      models.value = answer;
    },
    () => {
      asked = undefined;
    },
  );
}

/** Has the list fetched for a component that shows it. */
export function useModels(): void {
  useEffect(
    () =>
      effect(() => {
        const version = configDocument.value?.version;
        if (version === undefined || asked === version) return;
        asked = version;
        void loadModels();
      }),
    [],
  );
}
