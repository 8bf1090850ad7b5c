import { describe, expect, it, vi } from "vitest";
import { AGENT, item, json, lab, testServer, until } from "../testing/lab.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

/** A vector with one dimension a subject. */
function vectorOf(text: string): number[] {
  return [/猫|cat|kitten/i.test(text) ? 1 : 0, /狗|dog|puppy/i.test(text) ? 1 : 0, 0.1];
}

async function endpoint(answer?: (inputs: string[]) => unknown) {
  return testServer((_req, res, body) => {
    const { input } = JSON.parse(body) as { input: string[] };
    json(
      res,
      200,
      answer ? answer(input) : { data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) },
    );
  });
}

const settings = (url: string) => ({ embeddings: { baseUrl: `${url}/v1`, model: "m", apiKey: "e-1" } });
const REQUEST = { query: "kitten", topK: 5, minScore: 1 };

describe("optional embeddings", () => {
  it("find what shares no word with the query, fused with the lexical ranking", async () => {
    const server = await endpoint();
    const { hub, config } = lab(settings(server.url));
    const backend = hub.backend(config);
    const cat = await backend.save(item("养猫", "给猫打疫苗的时间"), AGENT);
    await backend.save(item("养狗", "遛狗的时间"), AGENT);
    await until(
      "vectors",
      () => (hub.store().db.prepare("SELECT count(*) AS n FROM vectors").get() as { n: number }).n === 2,
    );
    expect((await backend.search(REQUEST)).items[0]?.record.id).toBe(cat.id);
    expect(server.requests[0]).toMatchObject({
      path: "/v1/embeddings",
      headers: { authorization: "Bearer e-1" },
    });
  });

  it("an endpoint that fails, hangs up or answers nonsense costs nothing but its ranking", async () => {
    for (const answer of [() => ({ data: [] }), () => ({ error: "x" }), () => "text"]) {
      const server = await endpoint(answer);
      const { hub, config, logs } = lab(settings(server.url));
      const backend = hub.backend(config);
      await backend.save(item("养猫", "kitten"), AGENT);
      await until("tried", () => server.requests.length > 0);
      expect((await backend.search(REQUEST)).items).toHaveLength(1);
      await until("said", () => logs.join().includes("semantic search pauses"));
    }
    const gone = await endpoint();
    await gone.stop();
    const { hub, config } = lab(settings(gone.url));
    await hub.backend(config).save(item("养猫", "kitten"), AGENT);
    expect((await hub.backend(config).search(REQUEST)).items).toHaveLength(1);
    await gone.start();
  });

  it("are off by default: no request leaves", async () => {
    const { hub, config } = lab();
    expect(hub.parts(config).embeddings).toBeUndefined();
  });
});
