/**
 * One engine a process. A gateway loads the plugin's modules twice (`full` and `discovery`) and anew after a
 * reload, so the engine hangs on the process, not on a module.
 */
import { Engine, type EngineOptions } from "./engine.ts";

const KEY = Symbol.for("clawxrouter.engine");
type Holder = { [KEY]?: Engine };

/** The engine of this process, made at first use. */
export function sharedEngine(options: () => EngineOptions): Engine {
  const holder = globalThis as Holder;
  const engine = holder[KEY] ?? new Engine(options());
  holder[KEY] = engine;
  return engine;
}

/** Puts a fresh engine of this code in the place of an older one, which is stopped. */
export async function replaceSharedEngine(options: EngineOptions): Promise<Engine> {
  const holder = globalThis as Holder;
  const old = holder[KEY];
  holder[KEY] = undefined;
  await old?.stop();
  const engine = new Engine(options);
  holder[KEY] = engine;
  return engine;
}

export async function dropSharedEngine(engine: Engine): Promise<void> {
  const holder = globalThis as Holder;
  if (holder[KEY] === engine) holder[KEY] = undefined;
  await engine.stop();
}
