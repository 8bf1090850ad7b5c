import { manySecrets, type Secret } from "./secrets.ts";

/** Made-up private values for one path, as messages; what was taken is remembered, for only that can leak there. */
export class Values {
  /** Those of the messages asked for so far. */
  readonly used: Secret[] = [];
  private readonly all: readonly Secret[];
  private readonly onUse: (secrets: readonly Secret[]) => void;

  /**
   * At least 40 of each level.
   * @param onUse told what is about to be sent, before it is
   */
  constructor(seed: string, onUse: (secrets: readonly Secret[]) => void = () => {}) {
    // 24 values of S2 and 16 of S3 a round.
    this.all = manySecrets(seed, 3).filter(({ level, name }) => level === "S3" || !name.endsWith(".2"));
    this.onUse = onUse;
  }

  /** One message with all S2 values. */
  get s2(): string {
    return this.take((secret) => secret.level === "S2");
  }

  /** One message with all S3 values. */
  get s3(): string {
    return this.take((secret) => secret.level === "S3");
  }

  /** Everything. */
  get both(): string {
    return this.take(() => true);
  }

  /** A value of this path's own making. */
  add(secret: Secret): string {
    this.use([secret]);
    return secret.text;
  }

  /** The secrets of which one is wanted by itself. */
  one(name: string): Secret {
    const found = this.all.find((secret) => secret.name === `${name}.0`);
    if (found === undefined) throw new Error(`no secret named ${name}`);
    this.use([found]);
    return found;
  }

  private take(wanted: (secret: Secret) => boolean): string {
    const taken = this.all.filter(wanted);
    this.use(taken);
    return taken.map(({ text }) => text).join("\n\n");
  }

  private use(secrets: readonly Secret[]): void {
    const fresh = secrets.filter((secret) => !this.used.includes(secret));
    this.used.push(...fresh);
    this.onUse(fresh);
  }
}
