import type { KnowHubConfig } from "../config.ts";
import { Embeddings } from "../embeddings/embeddings.ts";
import { LocalExtractor } from "../extraction/extractor.ts";
import { Outbox } from "../outbox/outbox.ts";
import { Breaker } from "../remote/breaker.ts";
import { HttpClient } from "../remote/http.ts";
import type { Screener } from "../safety/screen.ts";
import { Curator } from "../store/curate.ts";
import type { Complete } from "../store/evolve.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import type { KnowledgeBackend } from "./backend.ts";
import { EmbeddedBackend } from "./embedded.ts";
import { RemoteBackend } from "./remote.ts";

/** What one opened store and one set of settings give. */
export interface Parts {
  config: KnowHubConfig;
  /** The store of this machine, also in remote mode: what is served, imported and extracted goes there. */
  embedded: EmbeddedBackend;
  /** What the tools use. */
  backend: KnowledgeBackend;
  outbox: Outbox;
  curator: Curator;
  extractor: LocalExtractor;
  remote: { client: HttpClient; breaker: Breaker } | undefined;
  embeddings: Embeddings | undefined;
}

export interface Surroundings {
  store: KnowledgeStore;
  screener: Screener;
  readOnly: boolean;
  warn: (message: string) => void;
  /** The user's own model, where there is one. */
  complete: Complete | undefined;
  /** Tells the background worker that there is something to do. */
  wake: () => void;
}

/** Puts the parts of a knowledge base together as the settings say. Opens nothing and asks nobody. */
export function makeParts(config: KnowHubConfig, by: Surroundings): Parts {
  const { store, screener, readOnly, warn, complete } = by;
  const { submittedBy } = config;
  const embeddings =
    config.embeddings && !readOnly
      ? new Embeddings({ store, settings: config.embeddings, log: warn })
      : undefined;
  const embedded = new EmbeddedBackend({
    store,
    screener,
    submittedBy,
    readOnly,
    semantic: embeddings,
    log: warn,
  });
  const outbox = new Outbox(store.db);
  const remote = config.apiUrl
    ? { client: new HttpClient({ baseUrl: config.apiUrl, apiKey: config.apiKey }), breaker: new Breaker() }
    : undefined;
  const deadlineMs = config.searchDeadlineMs;
  const backend = remote
    ? new RemoteBackend({
        ...remote,
        outbox,
        store,
        screener,
        submittedBy,
        deadlineMs,
        log: warn,
        wake: by.wake,
      })
    : embedded;
  return {
    config,
    embedded,
    backend,
    outbox,
    curator: new Curator({ store, screener, complete }),
    extractor: new LocalExtractor({ backend: embedded, complete }),
    remote,
    embeddings,
  };
}
