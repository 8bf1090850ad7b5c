import {
  escapeMatch,
  escapePlaceholders,
  findPlaceholders,
  formatPlaceholder,
  type PlaceholderMatch,
  placeholderType,
  replaceMatches,
  unescapeMatch,
} from "../placeholder/placeholder.ts";
import type { MatchRestorer, RestoreOptions } from "../placeholder/scope.ts";
import { restoreStream } from "../stream/restore.ts";
import type { Finding, PrivateLevel } from "../types.ts";
import { EntryStore, isPrivateToken } from "./entry-store.ts";
import { openSnapshot, type VaultSnapshot, writeSnapshot } from "./snapshot.ts";
import { disjointSpans } from "./spans.ts";
import type { ReplaceOptions, TokenUse, VaultChange, VaultEntry, VaultOptions } from "./types.ts";

/**
 * The private values of one installation and their placeholders, one to one within a session.
 *
 * Numbers count up per type over the life of the installation and are never given twice: a placeholder means one
 * value of one session for ever, wherever its text travels (subagent, title, embedding, the next day's session). Who
 * may turn it back is a matter of scope: see `RestoreOptions`. Everything is synchronous and linear in the text.
 */
export class Vault implements MatchRestorer {
  readonly #entries: EntryStore;
  readonly #counters = new Map<string, number>();
  readonly #onChange: ((change: VaultChange) => void) | undefined;
  readonly #lookup: ((token: string) => VaultEntry | undefined) | undefined;

  constructor(options: VaultOptions = {}) {
    this.#entries = new EntryStore(
      { maxEntries: options.maxEntries ?? 50_000, maxChars: options.maxChars ?? 64 * 1024 * 1024 },
      ({ token }) => this.#onChange?.({ kind: "remove", token }),
    );
    this.#onChange = options.onChange;
    this.#lookup = options.lookup;
  }

  /** Entries in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** Grows whenever a value is added or removed: a cached `findKnown` result is good for one version. */
  get version(): number {
    return this.#entries.version;
  }

  /**
   * The placeholder of `value`: the one it already has, else a new one. A value first seen as S2 and now
   * as S3 gets a new, private one; the old one then no longer counts as S2 either.
   * @throws RangeError when `value` is empty
   */
  tokenise(value: string, type: string, level: PrivateLevel, session = ""): string {
    if (value === "")
      throw new RangeError("an empty value has no placeholder: skip findings with start = end");
    const known = this.tokenOf(value, level, session);
    if (known !== undefined) return known;
    const entry = this.#entries.find(session, value);
    if (entry !== undefined) entry.level = "S3";
    return this.#add({ value, type: placeholderType(type), level, session });
  }

  /** The placeholder that {@link Vault.tokenise} would give without making one; undefined when it would make one. */
  tokenOf(value: string, level: PrivateLevel, session = ""): string | undefined {
    const entry = this.#entries.find(session, value);
    if (entry === undefined || !(isPrivateToken(entry.token) || level === "S2")) return undefined;
    this.#entries.touch(entry);
    return entry.token;
  }

  /**
   * The type that a new placeholder counts under. Vaults that share their values but cannot ask each other for a number
   * each count under a name of their own.
   */
  protected countedAs(type: string): string {
    return type;
  }

  /**
   * The placeholder of what is left of a finding beside placeholders of ours or a finding that overlaps it. A vault that can
   * keep a value without looking for it may do so here: such a part need not say anything by itself.
   */
  protected tokenisePart(part: Finding, session?: string): string {
    return this.tokenise(part.value, part.type, part.level, session);
  }

  /** The entry behind a token, without counting as use; undefined when this vault never made it or lost it. */
  get(token: string): VaultEntry | undefined {
    return this.#entries.get(token) ?? this.#lookup?.(token);
  }

  /**
   * Replace every finding by its placeholder. Findings are spans of `text`, sorted or not; where two overlap
   * all they cover is replaced. `restore` of the result is `text`, whatever `text` is.
   */
  replaceFindings(text: string, findings: readonly Finding[], options: ReplaceOptions = {}): string {
    if (findings.length === 0) return this.#escape(text, options);
    const own =
      options.ownTokens === "keep"
        ? findPlaceholders(text).filter((match) => this.#isOwn(match, options.session))
        : [];
    const spans = disjointSpans(text, findings, own);
    let out = "";
    let at = 0;
    for (const span of spans) {
      const token = span.part
        ? this.tokenisePart(span, options.session)
        : this.tokenise(span.value, span.type, span.level, options.session);
      options.minted?.add(token);
      out += this.#escape(text.slice(at, span.start), options) + token;
      at = span.end;
    }
    return out + this.#escape(text.slice(at), options);
  }

  /** Turn placeholders back into their values, as far as `options` allow; the others stay as they are. */
  restore(text: string, options: RestoreOptions = {}): string {
    return replaceMatches(text, (match) => this.restoreMatch(text, match, options));
  }

  /**
   * As `restore`, for JSON text (tool arguments): values are escaped to fit the string they stand in, twice when that string
   * is itself JSON. Valid JSON stays valid.
   */
  restoreJson(json: string, options: RestoreOptions = {}): string {
    const stream = restoreStream(this, { ...options, format: "json" });
    return stream.push(json) + stream.end();
  }

  /**
   * What one match becomes: its value, its unescaped form, or undefined for "stays". `encode` fits the value
   * into its surroundings.
   */
  restoreMatch(
    text: string,
    match: PlaceholderMatch,
    options: RestoreOptions,
    encode?: (value: string) => string,
  ): string | undefined {
    if (match.colons > 1) return unescapeMatch(text, match);
    const entry = this.#resolve(match.token, options);
    if (entry === undefined) return undefined;
    const value = match.percentEncoded ? encodeForUrl(entry.value) : entry.value;
    return encode === undefined ? value : encode(value);
  }

  /** The tokens of this vault (and any of the private kind) in `text`: what makes a router treat it as private. */
  tokensIn(text: string): TokenUse[] {
    const uses: TokenUse[] = [];
    for (const match of findPlaceholders(text)) {
      if (match.colons > 1) continue;
      const entry = this.get(match.token);
      if (entry === undefined && match.level !== "S3") continue;
      uses.push({
        start: match.start,
        end: match.end,
        token: match.token,
        level: entry?.level ?? match.level,
        known: entry !== undefined,
      });
    }
    return uses;
  }

  /** Every value of the vault that stands in `text`, whole, in part or encoded; see `KnownIndex`. */
  findKnown(text: string): Finding[] {
    return this.#entries.known.find(text);
  }

  /** Whether any value of the vault stands in `text`: the cheap question of a last line of defence. */
  holdsKnown(text: string): boolean {
    return this.#entries.known.has(text);
  }

  /** Remove everything that belongs to a session. The numbers stay used. */
  forgetSession(session: string): void {
    for (const entry of [...this.#entries.values()])
      if (entry.session === session) this.#entries.remove(entry);
  }

  /** Forget one value. Its number stays used. */
  remove(token: string): boolean {
    const entry = this.#entries.get(token);
    if (entry === undefined) return false;
    this.#entries.remove(entry);
    return true;
  }

  /** All entries in memory, least recently used first. */
  entries(): IterableIterator<VaultEntry> {
    return this.#entries.values();
  }

  /** The placeholders of a session that are in memory. */
  *tokensOf(session: string): Generator<string> {
    for (const { token } of this.#entries.ofSession(session)) yield token;
  }

  /** Put back an entry that a store kept, e.g. at start. `counter` values must be loaded too: see `loadCounters`. */
  load(entry: VaultEntry): void {
    const match = findPlaceholders(entry.token)[0];
    if (match === undefined || match.token !== entry.token) {
      throw new RangeError(
        "not a placeholder of this vault's form: the stored token was changed; drop that row",
      );
    }
    if (entry.value === "") throw new RangeError("an entry has no value: drop that row");
    const counterName = counterNameOf(match.level, match.type);
    this.#counters.set(counterName, Math.max(this.#counters.get(counterName) ?? 0, match.number));
    // A token of the private kind is private, whatever a changed row says.
    this.#entries.put({ ...entry, level: match.level === "S3" ? "S3" : entry.level });
    this.#entries.evict();
  }

  /** Highest number given so far, by counter name. */
  counters(): Record<string, number> {
    return Object.fromEntries(this.#counters);
  }

  /** Raise counters to what a store remembers; they never go down. */
  loadCounters(counters: Readonly<Record<string, number>>): void {
    for (const [name, value] of Object.entries(counters)) {
      this.#counters.set(name, Math.max(this.#counters.get(name) ?? 0, value));
    }
  }

  /** Everything as plain JSON data, encrypted with AES-256-GCM when a 32-byte key is given. */
  toJSON(key?: Uint8Array): VaultSnapshot {
    return writeSnapshot(
      { counters: this.counters(), entries: [...this.#entries.values()] },
      key instanceof Uint8Array ? key : undefined,
    );
  }

  /**
   * The vault that `toJSON` wrote.
   * @throws VaultError when the data is not a snapshot, the key is missing or wrong, or a key is given for a snapshot in
   * clear without `allowClear`
   */
  static fromJSON(
    snapshot: unknown,
    options: VaultOptions & { key?: Uint8Array; allowClear?: boolean } = {},
  ): Vault {
    const content = openSnapshot(snapshot, options.key, options.allowClear);
    const vault = new Vault(options);
    vault.loadCounters(content.counters);
    for (const entry of content.entries) vault.load(entry);
    return vault;
  }

  #add(value: Omit<VaultEntry, "token">): string {
    const counted = this.countedAs(value.type);
    const counterName = counterNameOf(value.level, counted);
    const counter = (this.#counters.get(counterName) ?? 0) + 1;
    this.#counters.set(counterName, counter);
    const entry: VaultEntry = { token: formatPlaceholder(value.level, counted, counter), ...value };
    this.#entries.put(entry);
    this.#onChange?.({ kind: "add", entry, counterName, counter });
    this.#entries.evict();
    return entry.token;
  }

  #resolve(token: string, options: RestoreOptions): VaultEntry | undefined {
    const entry = this.get(token);
    if (entry === undefined) return undefined;
    if (options.levels !== undefined && !options.levels.includes(entry.level)) return undefined;
    if (options.session === undefined && options.tokens === undefined) return entry;
    if (options.tokens?.has(token)) return entry;
    return options.session !== undefined && belongs(entry, options.session) ? entry : undefined;
  }

  #escape(text: string, options: ReplaceOptions): string {
    if (options.ownTokens !== "keep") return escapePlaceholders(text);
    return replaceMatches(text, (match) => {
      if (match.colons > 1 || this.#isOwn(match, options.session)) return undefined;
      return escapeMatch(text, match);
    });
  }

  /** In text that was through the vault: does this placeholder stay one? Private ones always do, they are safe to send. */
  #isOwn(match: PlaceholderMatch, session: string | undefined): boolean {
    if (match.colons > 1) return false;
    const entry = this.get(match.token);
    if (entry === undefined) return match.level === "S3";
    return entry.level === "S3" || session === undefined || entry.session === session;
  }
}

function belongs(entry: VaultEntry, sessions: string | readonly string[]): boolean {
  return typeof sessions === "string" ? entry.session === sessions : sessions.includes(entry.session);
}

function counterNameOf(level: PrivateLevel, type: string): string {
  return `${level}:${type}`;
}

/** Percent-encode a value (RFC 3986); a lone surrogate, which has no encoding, becomes U+FFFD. */
function encodeForUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
