/**
 * The plugin's settings in openclaw.json (`plugins.entries.clawxrouter.config`). Everything about privacy and cost
 * is in clawxrouter.json; here is only what must be known before that file is found. The manifest's `configSchema`
 * is generated from this (`node packages/clawxrouter/scripts/manifest.ts`), and a test compares them.
 */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

export const PluginConfigSchema = Type.Object(
  {
    configFile: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Path of clawxrouter.json; default: in the state directory (~/.openclaw)",
      }),
    ),
  },
  { additionalProperties: false },
);

export type PluginConfig = Static<typeof PluginConfigSchema>;

/** @throws naming the first fault with its path */
export function parsePluginConfig(raw: unknown): PluginConfig {
  const value: unknown = raw ?? {};
  if (Value.Check(PluginConfigSchema, value)) return value;
  const fault = Value.Errors(PluginConfigSchema, value).First();
  throw new Error(
    `plugins.entries.clawxrouter.config${fault?.path ?? ""}: ${fault?.message ?? "is not valid"}`,
  );
}
