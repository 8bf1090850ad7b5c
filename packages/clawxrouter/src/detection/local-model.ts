/**
 * The semantic detector: a small model on this machine reads the whole text in windows. Whatever goes wrong (down,
 * slow, prose) comes back as a degraded detection; never as "safe".
 */
import { createHash, randomBytes } from "node:crypto";
import { type Level, maxLevel } from "@clawx/shared-security";
import type { LocalModelConfig } from "../config-file/schema.ts";
import { ANSWER_SCHEMA, type Answer, entityFindings, parseAnswer } from "./answer.ts";
import { CircuitBreaker, Limiter, LruCache } from "./limits.ts";
import type { LocalModelProtocol } from "./protocols/types.ts";
import type { Detection, SemanticDetector } from "./types.ts";
import { type Window, windowsOf } from "./windows.ts";

const REMINDER = "\n\nAnswer with the JSON object only, nothing before or after it.";

export class LocalModelDetector implements SemanticDetector {
  private readonly config: LocalModelConfig;
  private readonly protocol: LocalModelProtocol;
  private readonly prompt: () => string;
  private readonly limiter: Limiter;
  private readonly breaker: CircuitBreaker;
  private readonly cache: LruCache<Answer>;
  private readonly closing = new AbortController();

  /** @param prompt live: the system prompt, so that an edit takes effect at once */
  constructor(config: LocalModelConfig, protocol: LocalModelProtocol, prompt: () => string) {
    this.config = config;
    this.protocol = protocol;
    this.prompt = prompt;
    this.limiter = new Limiter(config.concurrency);
    this.breaker = new CircuitBreaker(config.breakerFailures, config.breakerCooldownMs);
    this.cache = new LruCache(config.cacheEntries);
  }

  version(): string {
    return sha256(
      `${this.config.type}\n${this.config.endpoint}\n${this.config.model}\n${this.prompt()}`,
    ).slice(0, 16);
  }

  close(): void {
    this.closing.abort(new Error("closed"));
  }

  async detect(text: string, signal: AbortSignal | undefined): Promise<Detection> {
    const prompt = this.prompt();
    const windows = windowsOf(text, this.config.windowChars);
    const stop = new AbortController();
    const signals = [this.closing.signal, stop.signal, ...(signal === undefined ? [] : [signal])];
    const results = await Promise.all(
      windows.map((window) =>
        this.limiter.run(() => this.judge(window, prompt, AbortSignal.any(signals), stop)),
      ),
    );
    let level = "S1" as Level;
    const findings: Detection["findings"][number][] = [];
    const reasons = new Set<string>();
    let degraded = undefined as string | undefined;
    results.forEach((result, i) => {
      const window = windows[i];
      if (window === undefined || result === undefined) return;
      if (typeof result === "string") {
        degraded ??= `local model: ${result}`;
        return;
      }
      level = maxLevel(level, result.level);
      if (result.level === "S1") return;
      if (result.reason !== "") reasons.add(`local model: ${result.reason}`);
      for (const finding of entityFindings(result, window.text, window.offset)) {
        if (!findings.some((other) => finding.start < other.end && other.start < finding.end))
          findings.push(finding);
      }
    });
    // Nothing can be stricter than S3: then it does not matter that other windows went unread.
    if (level === "S3") degraded = undefined;
    if (findings.length > 0 && level === "S1") level = "S2";
    return { level, findings: findings.sort((a, b) => a.start - b.start), reasons: [...reasons], degraded };
  }

  /** @returns an answer, why there is none, or undefined when another window already said S3 */
  private async judge(
    window: Window,
    prompt: string,
    signal: AbortSignal,
    stop: AbortController,
  ): Promise<Answer | string | undefined> {
    if (window.text.trim() === "") return { level: "S1", reason: "", entities: [] };
    const key = sha256(`${this.version()}\n${window.text}`);
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    if (stop.signal.aborted) return undefined;
    if (!this.breaker.allows()) return "not asked, it failed several times in a row";
    const deadline = AbortSignal.timeout(this.config.timeoutMs);
    try {
      const answer = await this.ask(window.text, prompt, AbortSignal.any([signal, deadline]));
      // A model that answers, if only in prose, is up.
      this.breaker.succeeded();
      if (answer === undefined) return "no usable answer";
      this.cache.set(key, answer);
      if (answer.level === "S3") stop.abort();
      return answer;
    } catch (error) {
      if (stop.signal.aborted) return undefined;
      this.breaker.fail();
      if (deadline.aborted) return `no answer within ${this.config.timeoutMs} ms`;
      return error instanceof Error ? brief(error) : "failed";
    }
  }

  /** Asks, and once more with a reminder when the answer cannot be read. */
  private async ask(text: string, prompt: string, signal: AbortSignal): Promise<Answer | undefined> {
    const boundary = randomBytes(9).toString("base64url");
    const user = `The text to classify stands between the two lines ${boundary}.\n${boundary}\n${text}\n${boundary}`;
    const question = { schema: ANSWER_SCHEMA, signal };
    const first = parseAnswer(await this.protocol.ask({ ...question, system: prompt, user }));
    if (first !== undefined) return first;
    return parseAnswer(await this.protocol.ask({ ...question, system: prompt, user: user + REMINDER }));
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Name of a network error, never its full text: it may hold the question. */
function brief(error: Error): string {
  const code =
    (error as NodeJS.ErrnoException).code ?? (error.cause as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code === "string") return code;
  return error.message.length <= 60 ? error.message : error.name;
}
