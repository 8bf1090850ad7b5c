import { createHash, randomBytes } from "node:crypto";
import zlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyCollector } from "./collector.ts";
import { contentCodings, decodeBody } from "./decode.ts";

const text = `${"data: 你好，世界 — a model answer\n\n".repeat(3000)}end`;
const plain = Buffer.from(text);
const sha = createHash("sha256").update(plain).digest("hex");

const codings = {
  gzip: zlib.gzipSync(plain),
  deflate: zlib.deflateSync(plain),
  br: zlib.brotliCompressSync(plain),
  zstd: zlib.zstdCompressSync(plain),
};

describe("decodeBody", () => {
  it.each(Object.entries(codings))("undoes %s", async (name, wire) => {
    const body = await decodeBody(wire, contentCodings(name));
    expect(body.bytes.equals(plain)).toBe(true);
    expect(body).toMatchObject({ length: plain.length, sha256: sha });
    expect(body.error).toBeUndefined();
  });

  it("undoes raw deflate and stacked codings, last first", async () => {
    expect((await decodeBody(zlib.deflateRawSync(plain), ["deflate"])).sha256).toBe(sha);
    const stacked = zlib.brotliCompressSync(zlib.gzipSync(plain));
    expect((await decodeBody(stacked, contentCodings("GZIP, br"))).sha256).toBe(sha);
  });

  it.each(Object.entries(codings))("keeps what came of a cut %s stream", async (name, whole) => {
    const flushed = name === "br" || name === "zstd" ? whole : await flushedHead(name);
    const body = await decodeBody(flushed.subarray(0, Math.floor(flushed.length * 0.7)), [name]);
    expect(plain.subarray(0, body.bytes.length).equals(body.bytes)).toBe(true);
    if (name === "gzip" || name === "deflate") expect(body.bytes.length).toBeGreaterThan(100);
  });

  it("keeps what came before damage and says why it stopped", async () => {
    const random = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7919) % 251));
    const damaged = Buffer.from(zlib.gzipSync(random, { level: 0 }));
    damaged.fill(0xff, 150_000);
    const body = await decodeBody(damaged, ["gzip"]);
    expect(body.error).toBeTruthy();
    expect(body.bytes.length).toBeGreaterThan(30_000);
    expect(random.subarray(0, body.bytes.length).equals(body.bytes)).toBe(true);
  });

  it("leaves an unknown coding as it came", async () => {
    const body = await decodeBody(plain, ["x-secret"]);
    expect(body.bytes.equals(plain)).toBe(true);
    expect(body.error).toContain("x-secret");
  });
});

async function flushedHead(name: string): Promise<Buffer> {
  const stream = name === "gzip" ? zlib.createGzip() : zlib.createDeflate();
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  for (let i = 0; i < plain.length; i += 2000) {
    stream.write(plain.subarray(i, i + 2000));
    await new Promise<void>((done) => stream.flush(() => done()));
  }
  return Buffer.concat(parts);
}

describe("BodyCollector", () => {
  it("joins any split to the same bytes and hash", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 }),
        fc.nat(600),
        (chunks, limit) => {
          const collector = new BodyCollector("all", limit);
          for (const chunk of chunks) collector.push(chunk);
          const whole = Buffer.concat(chunks);
          expect(collector.wireBytes).toBe(whole.length);
          expect(collector.sha256()).toBe(createHash("sha256").update(whole).digest("hex"));
          if (whole.length <= limit) expect(collector.joined().equals(whole)).toBe(true);
          else expect(collector.complete).toBe(false);
        },
      ),
    );
  });

  it("tail keeps the newest bytes in bounded memory", () => {
    const collector = new BodyCollector("tail");
    for (let i = 0; i < 1000; i++) collector.push(Buffer.alloc(1000, i % 256));
    expect(collector.wireBytes).toBe(1_000_000);
    expect(collector.joined().length).toBeLessThan(520_000);
    expect(collector.joined().at(-1)).toBe(999 % 256);
    expect(collector.sha256()).toBeNull();
  });
});

describe("content codings that lie or are cut", () => {
  const plain = Buffer.from(randomBytes(100_000).toString("hex"));
  const quick = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
  const coded: [string, Buffer][] = [
    ["gzip", zlib.gzipSync(plain)],
    ["deflate", zlib.deflateSync(plain)],
    ["br", zlib.brotliCompressSync(plain, quick)],
    ["zstd", zlib.zstdCompressSync(plain)],
  ];

  it.each(coded)("%s cut anywhere: what came is a head of the whole", async (coding, wire) => {
    for (const share of [0.7, 0.95, 0.999]) {
      const { bytes } = await decodeBody(wire.subarray(0, Math.floor(wire.length * share)), [coding]);
      expect(bytes.length).toBeGreaterThan(0);
      expect(plain.subarray(0, bytes.length).equals(bytes)).toBe(true);
    }
  });

  it.each(coded)("%s in the header but not in the body: the bytes as they came, and why", async (coding) => {
    const decoded = await decodeBody(plain, [coding]);
    expect(decoded.error).toBeDefined();
    expect(decoded.bytes.equals(plain)).toBe(true);
    expect(decoded.sha256).toBe(createHash("sha256").update(plain).digest("hex"));
    expect(await decodeBody(Buffer.alloc(0), [coding])).toEqual(
      expect.objectContaining({ length: 0, bytes: Buffer.alloc(0) }),
    );
  });

  it("frames and members one after the other are one body", async () => {
    for (const [coding, wire] of coded.filter(([name]) => name === "gzip" || name === "zstd"))
      expect((await decodeBody(Buffer.concat([wire, wire, wire]), [coding])).length, coding).toBe(
        3 * plain.length,
      );
  });
});
