/**
 * The agent loop of 2026.3.x hosts: `Agent.prototype._runLoop` of `@mariozechner/pi-agent-core`. While a loop runs, its
 * `streamFn` is wrapped, so that every model call gets an id, an async scope and its provider payload logged.
 */
import { randomBytes } from "node:crypto";
import { runInCall } from "../correlate/call-scope.ts";
import type { CallInfo } from "../correlate/calls.ts";
import { hostModule } from "./host-module.ts";
import { type CaptureSink, guarded, type Seam } from "./seam.ts";

type StreamFn = (
  this: unknown,
  model: unknown,
  context: unknown,
  options?: Record<string, unknown>,
) => unknown;
type OnPayload = (payload: unknown, model: unknown) => unknown;

/** The part of an Agent that is used. */
interface Agent {
  streamFn?: StreamFn;
  sessionId?: unknown;
}

type RunLoop = (this: Agent, ...args: unknown[]) => unknown;

/** Whether the host is one that has this seam. */
export function legacyAgent(
  entry: string | undefined = process.argv[1],
): { prototype: Record<string, unknown> } | undefined {
  const module = hostModule("@mariozechner/pi-agent-core", entry);
  const agent: unknown =
    typeof module === "object" && module !== null ? Reflect.get(module, "Agent") : undefined;
  if (typeof agent !== "function" || typeof agent.prototype !== "object") return undefined;
  return typeof agent.prototype._runLoop === "function" ? { prototype: agent.prototype } : undefined;
}

export function agentPatch(sink: CaptureSink, entry: string | undefined = process.argv[1]): Seam {
  let undo: (() => void) | undefined;
  let reason = "not started";
  let seen = 0;

  function startCall(agent: Agent, model: unknown): CallInfo {
    const sessionId = typeof agent.sessionId === "string" ? agent.sessionId : undefined;
    const { calls } = sink.correlator;
    const run = sessionId === undefined ? undefined : calls.runOfSession(sessionId);
    const spanId = randomBytes(8).toString("hex");
    const call: CallInfo = {
      spanId,
      callId: `${run?.runId ?? sessionId ?? "agent"}:${spanId}`,
      runId: run?.runId ?? "",
      ...(sessionId !== undefined && { sessionId }),
      ...(run?.sessionKey !== undefined && { sessionKey: run.sessionKey }),
      ...(run?.agentId !== undefined && { agentId: run.agentId }),
      provider: field(model, "provider") ?? "unknown",
      model: field(model, "id") ?? "unknown",
      ...(field(model, "api") !== undefined && { api: field(model, "api") ?? "" }),
      purpose: calls.isCompacting(run?.sessionKey, sessionId)
        ? "compaction"
        : run?.trigger === "heartbeat"
          ? "heartbeat"
          : "turn",
      startedAt: Date.now(),
      exchanges: 0,
    };
    sink.callStarted(call);
    seen++;
    return call;
  }

  const ended = guarded(sink, "agent-patch end", (call: CallInfo, outcome: string) => {
    sink.callEnded(call.spanId, { at: Date.now(), outcome });
  });
  const recordPayload = guarded(sink, "agent-patch payload", (call: CallInfo, payload: unknown) =>
    sink.payload(call, payload),
  );

  function wrap(agent: Agent, original: StreamFn): StreamFn {
    return function streamFn(this: unknown, model, context, options) {
      let call: CallInfo;
      try {
        call = startCall(agent, model);
      } catch (error) {
        sink.fault("agent-patch", error);
        return Reflect.apply(original, this, [model, context, options]);
      }
      const before = options?.onPayload as OnPayload | undefined;
      const onPayload: OnPayload = (payload, payloadModel) => {
        recordPayload(call, payload);
        return before?.(payload, payloadModel);
      };
      const stream = runInCall(call, () =>
        Reflect.apply(original, this, [model, context, { ...options, onPayload }]),
      );
      watchEnd(stream, call);
      return stream;
    };
  }

  /** The stream tells by `result()` that the call is over; looking at it changes nothing for its reader. */
  function watchEnd(stream: unknown, call: CallInfo): void {
    const result = async () => {
      const ready: unknown = await stream;
      const method: unknown =
        typeof ready === "object" && ready !== null ? Reflect.get(ready, "result") : undefined;
      if (typeof method === "function") await Reflect.apply(method, ready, []);
    };
    result().then(
      () => ended(call, "completed"),
      () => ended(call, "error"),
    );
  }

  return {
    name: "agent-patch",
    start() {
      if (undo) return;
      const agent = legacyAgent(entry);
      if (!agent) {
        reason = "not needed: this host announces its calls with trace ids";
        return;
      }
      const { prototype } = agent;
      const original = prototype._runLoop as RunLoop;
      const patched: RunLoop = function _runLoop(...args) {
        const own = this.streamFn;
        if (typeof own !== "function") return Reflect.apply(original, this, args);
        const wrapped = wrap(this, own);
        this.streamFn = wrapped;
        const restore = () => {
          if (this.streamFn === wrapped) this.streamFn = own;
        };
        const result = Reflect.apply(original, this, args);
        if (result instanceof Promise) result.then(restore, restore);
        else restore();
        return result;
      };
      prototype._runLoop = patched;
      undo = () => {
        if (prototype._runLoop === patched) prototype._runLoop = original;
      };
      reason = "Agent.prototype._runLoop of pi-agent-core is watched";
    },
    stop() {
      undo?.();
      undo = undefined;
      reason = "stopped";
    },
    status: () => ({ live: undo !== undefined, seen, reason }),
  };
}

function field(value: unknown, name: string): string | undefined {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === "string" ? found : undefined;
}
