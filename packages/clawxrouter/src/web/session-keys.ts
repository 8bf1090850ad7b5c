/**
 * Session keys on their way to the browser. The host names a conversation by whom it is with, so a key may hold a
 * phone number or an address: such parts are sealed, and only the gateway can open them again. The same key is always
 * sealed to the same text, so that a link to a session stays good; nothing is stored for it.
 *
 * A sealed part is `{TYPE.<base64url of a synthetic IV and the AES-256-CTR text>}`; the IV is a MAC of the value, which
 * is checked on the way back (the construction of SIV, RFC 5297, with HMAC-SHA-256).
 */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { RouterConfig } from "../config-file/schema.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { Engine } from "../engine/engine.ts";
import { sameText } from "./auth/sessions.ts";

const SEALED = /\{([A-Z][A-Z0-9_]*)\.([A-Za-z0-9_-]{22,4000})\}/g;
const IV_BYTES = 16;
/** Keys remembered with their sealed form. */
const MOST = 5_000;

interface Part {
  start: number;
  end: number;
  type: string;
}

/** Peers of direct messages that are numbers, and what in the name of a group is somebody's number. */
const NUMBERS: readonly { type: string; pattern: RegExp }[] = [
  { type: "PHONE", pattern: /\+\d[\d -]{5,18}\d/g },
  {
    type: "PHONE",
    pattern: /(?<=:(?:whatsapp|signal|sms|imessage|bluebubbles)(?::[^:]+)?:(?:direct|dm):)\d{5,20}/g,
  },
  { type: "ID", pattern: /(?<=:(?:direct|dm):)-?\d{5,20}(?![^:@])/g },
  { type: "PHONE", pattern: /(?<![\d])\d{8,15}(?=-\d+@g\.us)/g },
];

export class SessionKeys {
  private readonly secret: () => string;
  private readonly config: () => RouterConfig;
  private rules: { from: RouterConfig; detector: RuleDetector } | undefined;
  private sealed = new Map<string, string>();
  private keys: { mac: Buffer; cipher: Buffer } | undefined;

  constructor(secret: () => string, config: () => RouterConfig) {
    this.secret = secret;
    this.config = config;
  }

  /** The key as the browser gets it. */
  hide(key: string): string {
    // New settings find other things.
    if (this.rules !== undefined && this.rules.from !== this.config()) this.sealed = new Map();
    const known = this.sealed.get(key);
    if (known !== undefined) return known;
    if (this.sealed.size >= MOST) this.sealed.clear();
    const hidden = this.replace(key, ({ type }, value) => this.seal(type, value));
    this.sealed.set(key, hidden);
    return hidden;
  }

  /** For the record: the private parts by their kind only. */
  masked(text: string): string {
    return this.replace(text, ({ type }) => `[${type}]`);
  }

  /** The key behind what {@link hide} gave; a text that it did not give is taken as it is. */
  open(given: string): string {
    return given.replace(SEALED, (whole, type: string, sealed: string) => this.unseal(type, sealed) ?? whole);
  }

  private replace(text: string, by: (part: Part, value: string) => string): string {
    let out = "";
    let at = 0;
    for (const part of this.parts(text)) {
      out += text.slice(at, part.start) + by(part, text.slice(part.start, part.end));
      at = part.end;
    }
    return out + text.slice(at);
  }

  /** Disjoint, in order. */
  private parts(text: string): Part[] {
    const found: Part[] = [];
    // The numbers first: the rules need not look at them any more, and to tell a phone number takes them long.
    let rest = text;
    for (const { type, pattern } of NUMBERS)
      for (const { index, 0: number } of rest.matchAll(pattern)) {
        found.push({ start: index, end: index + number.length, type });
        rest = rest.slice(0, index) + " ".repeat(number.length) + rest.slice(index + number.length);
      }
    for (const { start, end, type } of this.detector().detect(rest).findings) {
      if (!found.some((other) => start < other.end && other.start < end)) found.push({ start, end, type });
    }
    return found.sort((a, b) => a.start - b.start);
  }

  private detector(): RuleDetector {
    const config = this.config();
    if (this.rules?.from !== config)
      this.rules = { from: config, detector: new RuleDetector(config.privacy.rules) };
    return this.rules.detector;
  }

  private seal(type: string, value: string): string {
    const iv = this.iv(type, value);
    const cipher = createCipheriv("aes-256-ctr", this.derived().cipher, iv);
    const text = Buffer.concat([iv, cipher.update(value, "utf8"), cipher.final()]);
    return `{${type}.${text.toString("base64url")}}`;
  }

  private unseal(type: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, "base64url");
    const iv = bytes.subarray(0, IV_BYTES);
    if (iv.length < IV_BYTES) return undefined;
    const cipher = createDecipheriv("aes-256-ctr", this.derived().cipher, iv);
    const value = Buffer.concat([cipher.update(bytes.subarray(IV_BYTES)), cipher.final()]).toString("utf8");
    return sameText(this.iv(type, value).toString("hex"), iv.toString("hex")) ? value : undefined;
  }

  private iv(type: string, value: string): Buffer {
    return createHmac("sha256", this.derived().mac)
      .update(`${type}\n${value}`)
      .digest()
      .subarray(0, IV_BYTES);
  }

  private derived(): { mac: Buffer; cipher: Buffer } {
    const derive = (use: string) =>
      createHmac("sha256", this.secret()).update(`session keys: ${use}`).digest();
    this.keys ??= { mac: derive("mac"), cipher: derive("cipher") };
    return this.keys;
  }
}

const ofEngine = new WeakMap<Engine, SessionKeys>();

export function sessionKeysOf(engine: Engine): SessionKeys {
  const known = ofEngine.get(engine);
  if (known !== undefined) return known;
  const keys = new SessionKeys(
    () => engine.installKey(),
    () => engine.config(),
  );
  ofEngine.set(engine, keys);
  return keys;
}
