import { KnowHub, type Log } from "./knowhub.ts";

const KEY = Symbol.for("clawx.knowhub.instances.v1");

/** The one KnowHub of this process for a state folder. */
export function knowHubFor(stateDir: string, log: Log): KnowHub {
  const holder = globalThis as { [KEY]?: Map<string, KnowHub> };
  holder[KEY] ??= new Map();
  const instances = holder[KEY];
  let hub = instances.get(stateDir);
  if (!hub) {
    hub = new KnowHub(stateDir, log);
    instances.set(stateDir, hub);
  }
  hub.log = log;
  return hub;
}

/**
 * Closes a KnowHub for good. The next use makes a new one, out of the code that is loaded then: after an update of the plugin the
 * gateway must not go on with the old one.
 */
export async function retire(hub: KnowHub): Promise<void> {
  const holder = globalThis as { [KEY]?: Map<string, KnowHub> };
  if (holder[KEY]?.get(hub.stateDir) === hub) holder[KEY].delete(hub.stateDir);
  await hub.stop();
}
