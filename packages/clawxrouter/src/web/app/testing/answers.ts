/** What the made-up gateway answers, route by route. */
import type { Answer, Body, Detection, SessionInfo, StreamEvent } from "../../contract.ts";
import type { RouteName } from "../../routes.ts";
import { put, at as valueAt } from "../state/edits.ts";
import { hourlyOf, summaryOf } from "./figures.ts";
import { MODELS, POSTURE, PROMPT_TEXTS, SELF_TEST, SETUP_PLAN } from "./fixed.ts";
import { Refusal } from "./refusal.ts";
import { type SampleEvents, sessionsOf } from "./sample.ts";
import type { SettingsStore } from "./settings-store.ts";
import { classify, validateRules } from "./verdicts.ts";

const DAY = 86_400_000;

export interface State {
  events: SampleEvents;
  settings: SettingsStore;
  /** The user's own prompts by name. */
  prompts: Map<string, string>;
  csrf: string;
  emit: (event: StreamEvent) => void;
}

type Query = Readonly<Record<string, string>>;

export interface Answers {
  /** @param languages the header Accept-Language */
  sessionInfo(signedIn: boolean, languages: string): SessionInfo;
  /** @throws Refusal */
  answer(route: RouteName, query: Query, body: unknown): unknown;
}

export function makeAnswers(state: State): Answers {
  const { settings } = state;
  const routes: { [R in RouteName]?: (query: Query, body: Body<R>) => Answer<R> } = {
    summary: ({ days }) => summaryOf(state.events, Date.now() - Number(days ?? 30) * DAY, Date.now()),
    hourly: ({ days, step }) =>
      hourlyOf(
        state.events,
        Date.now() - Number(days ?? 30) * DAY,
        Date.now(),
        step === "day" ? "day" : "hour",
      ),
    posture: () => POSTURE,
    selfTest: () => SELF_TEST,
    setupPlan: () => SETUP_PLAN,
    setup: () => ({ state: "green", items: POSTURE.items.map((item) => ({ ...item, ok: true, fix: null })) }),
    reset: () => {
      state.events = { detections: [], requests: [] };
      state.emit({ event: "reset", data: { reason: "deleted" } });
      return { done: true };
    },
    audit: () => ({ items: [], next: null }),
    sessions: ({ text = "" }) => ({
      items: sessionsOf(state.events).filter((entry) => entry.key.includes(text)),
      next: null,
    }),
    sessionDetections: ({ key }) => ({
      items: [
        ...state.events.detections.filter((entry) => entry.session === key),
        ...state.events.requests.filter((entry) => entry.session === key),
      ].sort((a, b) => b.at - a.at),
      next: null,
    }),
    detections: (query) => detections(state.events.detections, query),
    detection: ({ id }) => found(state, Number(id)),
    facets: () => facets(state.events.detections),
    requests: () => ({ items: state.events.requests.slice(0, 50), next: null }),
    reveal: (_, body) => ({
      text:
        "session" in body
          ? body.session.replace(/\{.*\}/, "4711")
          : (found(state, body.detection).said ?? [])
              .map((segment) => ("token" in segment ? `<${segment.type.toLowerCase()}>` : segment.text))
              .join(""),
    }),
    feedbackPreview: (_, body) => settings.preview(corrected(settings, body)),
    feedback: (_, body) => {
      found(state, body.detection).feedback = body.change.kind;
      return settings.write(corrected(settings, body), body.version);
    },
    config: () => settings.read(),
    writeConfig: (_, { raw, version }) => settings.write(raw, version),
    validateConfig: (_, body) => {
      const faults = "text" in body ? settings.faults(undefined, body.text) : settings.faults(body.raw);
      return { ok: faults.length === 0, faults };
    },
    previewConfig: (_, body) => {
      if ("raw" in body) return settings.preview(body.raw);
      const faults = settings.faults(undefined, body.text);
      return faults.length > 0
        ? { ok: false, faults, changes: [], effect: null }
        : settings.preview(JSON.parse(body.text));
    },
    importConfig: (_, { text, version }) => {
      const faults = settings.faults(undefined, text);
      if (faults.length > 0) throw new Refusal(422, "invalid", { faults });
      return settings.write(JSON.parse(text), version);
    },
    configHistory: () => settings.history(),
    undoConfig: (_, { version, id }) => settings.undo(version, id),
    configSchema: () => settings.schema(),
    rulesValidate: (_, body) => validateRules(body),
    prompts: () => ({ prompts: Object.keys(PROMPT_TEXTS).map((name) => promptOf(state, name)) }),
    writePrompt: (_, body) => {
      if (promptOf(state, body.name).version !== body.version) throw new Refusal(409, "conflict", {});
      if (body.action === "save") state.prompts.set(body.name, body.text);
      else state.prompts.delete(body.name);
      const prompt = promptOf(state, body.name);
      state.emit({ event: "prompts", data: { version: prompt.version } });
      return prompt;
    },
    testClassify: (_, body) => classify(body),
    testRoute: (_, { message }) => {
      const { merged } = classify({ message });
      return {
        level: merged.level,
        route: merged.level === "S3" ? "local" : merged.level === "S2" ? "redacted" : "cloud",
        target: merged.target,
        tier: merged.tier,
        reason: merged.reason ?? "",
        blocked: null,
        cloud: merged.level === "S3" ? null : message,
      };
    },
    models: () => MODELS,
    replay: (_, { limit }) => replay(state, limit),
  };
  return {
    sessionInfo: (signedIn, languages) => ({
      signedIn,
      csrf: signedIn ? state.csrf : null,
      expiresAt: signedIn ? Date.now() + DAY : null,
      signIn: { token: true, link: true },
      language: languages.startsWith("zh") ? "zh" : "en",
      local: true,
      version: "0.1.0",
    }),
    answer(route, query, body) {
      const make = routes[route] as ((query: Query, body: unknown) => unknown) | undefined;
      if (make === undefined) throw new Refusal(404, "not-found", {});
      return make(query, body);
    },
  };
}

function found(state: State, id: number): Detection {
  const detection = state.events.detections.find((entry) => entry.id === id);
  if (detection === undefined) throw new Refusal(404, "not-found", {});
  return detection;
}

function detections(all: readonly Detection[], query: Query): Answer<"detections"> {
  const textOf = (entry: Detection) =>
    `${entry.reason} ${entry.session} ${(entry.said ?? []).map((segment) => ("text" in segment ? segment.text : segment.type)).join(" ")}`;
  const hits = all.filter(
    (entry) =>
      (query.level === undefined || entry.level === query.level) &&
      (query.checkpoint === undefined || entry.checkpoint === query.checkpoint) &&
      (query.route === undefined || entry.route === query.route) &&
      (query.rule === undefined || entry.rules.includes(query.rule)) &&
      (query.session === undefined || entry.session === query.session) &&
      textOf(entry)
        .toLowerCase()
        .includes((query.text ?? "").toLowerCase()),
  );
  const rest = hits.filter((entry) => query.cursor === undefined || entry.id < Number(query.cursor));
  const items = rest.slice(0, Number(query.limit ?? 50));
  return { items, next: items.length < rest.length ? String(items.at(-1)?.id) : null };
}

function facets(all: readonly Detection[]): Answer<"facets"> {
  const rules = new Map<string, number>();
  for (const rule of all.flatMap((entry) => entry.rules)) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  const n = (level: string) => all.filter((entry) => entry.level === level).length;
  const checkpoints: Record<string, number> = {};
  for (const entry of all) checkpoints[entry.checkpoint] = (checkpoints[entry.checkpoint] ?? 0) + 1;
  return {
    rules: [...rules].map(([rule, count]) => ({ rule, n: count })).sort((a, b) => b.n - a.n),
    levels: { S1: n("S1"), S2: n("S2"), S3: n("S3") },
    checkpoints,
    total: all.length,
  };
}

function corrected(settings: SettingsStore, { change }: Body<"feedback">): Record<string, unknown> {
  const { raw, effective } = settings.read();
  const listAt = (path: string[]) => (valueAt(effective, path) as string[] | undefined) ?? [];
  const change_ = (path: string[], edit: (list: string[]) => string[]) =>
    put(raw, path, edit(listAt(path))) as Record<string, unknown>;
  const rules = ["privacy", "rules"];
  switch (change.kind) {
    case "allow":
      return change_([...rules, "allow"], (list) => [...list, change.token]);
    case "keyword":
      return change_([...rules, "keywords", change.level], (list) => [...list, change.text]);
    case "pattern":
      return change_([...rules, "patterns", change.level], (list) => [...list, change.text]);
    case "remove-keyword":
      return change_([...rules, "keywords", change.level], (list) =>
        list.filter((item) => item !== change.text),
      );
    case "remove-pattern":
      return change_([...rules, "patterns", change.level], (list) =>
        list.filter((item) => item !== change.text),
      );
  }
}

function promptOf(state: State, name: string): Answer<"writePrompt"> {
  const original = PROMPT_TEXTS[name as keyof typeof PROMPT_TEXTS];
  if (original === undefined) throw new Refusal(404, "not-found", {});
  const text = state.prompts.get(name) ?? original;
  const edited = text !== original;
  return {
    name: name as keyof typeof PROMPT_TEXTS,
    text,
    original,
    edited,
    version: `${name}-${text.length}`,
    diff: edited
      ? [
          ...original.split("\n").map((line) => ({ op: "-" as const, text: line })),
          ...text.split("\n").map((line) => ({ op: "+" as const, text: line })),
        ]
      : [],
    maxChars: 20_000,
  };
}

function replay(state: State, limit: number): Answer<"replay"> {
  const turns = state.events.detections
    .filter((entry) => entry.checkpoint === "onUserMessage" && entry.level === "S1")
    .slice(0, limit);
  const rows = turns.map((entry, at) => {
    const was = { tier: entry.tier, provider: entry.provider, model: entry.model, usd: 0.0048 };
    const would =
      at % 3 === 0
        ? { tier: "SIMPLE" as const, provider: "openrouter", model: "glm-4.5-air", usd: 0.0004 }
        : was;
    const text = (entry.said ?? [])
      .map((segment) => ("text" in segment ? segment.text : segment.token))
      .join("");
    return { detection: entry.id, at: entry.at, text, was, would };
  });
  return {
    turns: rows.length,
    spentUsd: rows.reduce((sum, row) => sum + row.was.usd, 0),
    wouldUsd: rows.reduce((sum, row) => sum + row.would.usd, 0),
    comparable: rows.length,
    changed: rows.filter((row) => row.was !== row.would).length,
    incomplete: false,
    rows,
  };
}
