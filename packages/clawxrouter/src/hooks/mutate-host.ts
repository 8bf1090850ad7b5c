import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { MutateHost } from "../setup/apply.ts";

/** Changes openclaw.json through the host's own writer, which the gateway follows. */
export function mutateHost(api: OpenClawPluginApi): MutateHost {
  return async (mutate) => {
    const result = await api.runtime.config.mutateConfigFile({
      afterWrite: { mode: "auto" },
      mutate: (draft, { snapshot }) =>
        mutate(draft as Record<string, unknown>, snapshot.authoredConfig ?? snapshot.parsed),
    });
    return result.path;
  };
}
