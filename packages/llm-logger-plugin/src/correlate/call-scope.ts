/**
 * The call of the running async context on hosts without trace ids: `agent-patch` enters it, `fetch-patch` and the
 * WebSocket seams read it. On a process-wide symbol, because the host may load this module twice.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { CallInfo } from "./calls.ts";

interface Scope {
  call?: CallInfo;
  /** A seam above has this request already: the one below must not log it again. */
  taken?: boolean;
}

const KEY = Symbol.for("llm-logger-openclaw-plugin.call-scope.v1");

function storage(): AsyncLocalStorage<Scope> {
  const host = globalThis as { [KEY]?: AsyncLocalStorage<Scope> };
  host[KEY] ??= new AsyncLocalStorage<Scope>();
  return host[KEY];
}

export function runInCall<T>(call: CallInfo, run: () => T): T {
  return storage().run({ call }, run);
}

export function runTaken<T>(run: () => T): T {
  return storage().run({ ...storage().getStore(), taken: true }, run);
}

export function scopedCall(): CallInfo | undefined {
  return storage().getStore()?.call;
}

export function isTaken(): boolean {
  return storage().getStore()?.taken === true;
}
