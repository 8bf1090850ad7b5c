/** Tools: what a cloud model may see of a result, and which calls a cloud turn may not make. */
import { matchPaths } from "../detection/paths.ts";
import { isWhollyPrivate } from "../detection/types.ts";
import { privateAddress } from "../routing/addresses.ts";
import { mergeDecisions } from "../routing/merge.ts";
import { MESSAGES } from "../routing/messages.ts";
import type { PipelineResult, RouterContext } from "../routing/types.ts";
import type { Conversation } from "../vault-store/conversation.ts";

/** Files that no cloud model may read, whatever the rules say. */
const ALWAYS_PRIVATE = ["MEMORY-FULL.md"];
const PROPOSAL_TIMEOUT_MS = 10_000;

export interface ToolGuardDeps {
  run: (context: RouterContext) => Promise<PipelineResult>;
  conversation: (session: string) => Conversation;
  rules: () => { S3: { tools: readonly string[]; paths: readonly string[] } };
  /** Hosts besides loopback that are the user's own. */
  localHosts: () => readonly string[];
  /** Whether the user of a conversation named a host himself. */
  isNamedHost: (session: string, host: string) => boolean;
  /** ClawXRouter's own folder: vault, keys, full memory. */
  dataDir: string;
  workspaceDir: (agentId: string | undefined) => string | undefined;
  /**
   * Told of each call, and of each result that is not S1, for the statistics.
   * @param masked the text as a cloud model may see it; undefined: not known yet
   */
  decided: (
    context: RouterContext,
    result: PipelineResult,
    route: string,
    ms: number,
    masked?: string,
  ) => void;
}

export interface ToolCall {
  session: string;
  agentId: string | undefined;
  toolName: string;
  params: Readonly<Record<string, unknown>>;
}

export class ToolGuard {
  private readonly deps: ToolGuardDeps;
  constructor(deps: ToolGuardDeps) {
    this.deps = deps;
  }

  /**
   * A tool's text as a cloud model may see it.
   * @throws when it cannot be judged: the host then withholds the result
   */
  async result(call: ToolCall, text: string, signal: AbortSignal): Promise<string> {
    const started = performance.now();
    const context = this.context(call, "onToolCallExecuted", text, signal);
    const result = await this.deps.run(context);
    const talk = this.deps.conversation(call.session);
    const known = talk.findKnown(text);
    if (result.level === "S1" && known.length === 0) return talk.redact(text, []);
    const whole = isWhollyPrivate({
      level: result.level,
      findings: result.findings,
      reasons: [],
      degraded: undefined,
    });
    const masked =
      result.level === "S3" && (whole || result.findings.length === 0)
        ? talk.lock(text)
        : talk.redact(text, [...result.findings, ...known]);
    this.deps.decided(context, result, "redacted", performance.now() - started, masked);
    return masked;
  }

  /** Why a call must not run in a cloud turn; undefined when it may. */
  async stop(call: ToolCall, derivedPaths: readonly string[]): Promise<string | undefined> {
    const started = performance.now();
    const { S3 } = this.deps.rules();
    const context = this.context(
      call,
      "onToolCallProposed",
      JSON.stringify(call.params),
      AbortSignal.timeout(PROPOSAL_TIMEOUT_MS),
    );
    const rules = { S3: [...ALWAYS_PRIVATE, this.deps.dataDir, ...S3.paths], S2: [] };
    const hit = matchPaths(call.params, derivedPaths, rules, {
      workspaceDir: this.deps.workspaceDir(call.agentId),
    });
    const result = await this.deps.run(context);
    let reason: string | undefined;
    if (hit !== undefined) reason = MESSAGES.pathBlocked(hit.rule);
    else if (S3.tools.includes(call.toolName)) reason = MESSAGES.toolBlocked(`${call.toolName}`);
    else if (result.action === "block") reason = MESSAGES.toolBlocked(result.reason);
    const address =
      reason === undefined
        ? privateAddress(call.params, {
            localHosts: this.deps.localHosts(),
            isNamed: (host) => this.deps.isNamedHost(call.session, host),
            findKnown: (text) => this.deps.conversation(call.session).findKnown(text),
          })
        : undefined;
    if (address !== undefined) reason = MESSAGES.addressBlocked(address.host, address.type);
    const why =
      address !== undefined
        ? `address with ${address.type}`
        : hit === undefined
          ? `tool ${call.toolName}`
          : `path ${hit.rule}`;
    this.deps.decided(
      context,
      reason === undefined || result.reason.includes(why)
        ? result
        : { ...result, reason: `${result.reason}; ${why}` },
      reason !== undefined ? "blocked" : result.level === "S1" ? "cloud" : "redacted",
      performance.now() - started,
    );
    return reason;
  }

  /** Notes a call of a private turn, which nothing stops: it stays on this machine. */
  note(call: ToolCall, level: PipelineResult["level"]): void {
    const context = this.context(call, "onToolCallProposed", "", new AbortController().signal);
    const reason = "private turn: the call and its result stay on this machine";
    this.deps.decided(context, { ...mergeDecisions([], []), level, reason }, "local", 0, "");
  }

  private context(
    call: ToolCall,
    checkpoint: RouterContext["checkpoint"],
    message: string,
    signal: AbortSignal,
  ): RouterContext {
    return {
      checkpoint,
      message,
      sessionKey: call.session,
      agentId: call.agentId,
      toolName: call.toolName,
      toolParams: call.params,
      signal,
    };
  }
}
