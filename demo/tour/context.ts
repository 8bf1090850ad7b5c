import type { Gateway, ModelServer, RecordedRequest } from "../../e2e/harness/index.ts";
import type { TourOptions } from "../options.ts";
import type { Screen } from "../screen.ts";

/** What every step of the tour works with. */
export interface Tour {
  gateway: Gateway;
  cloud: ModelServer;
  local: ModelServer;
  screen: Screen;
  options: TourOptions;
  /** True when both models are the embedded, scripted ones: only then answers are known beforehand. */
  scripted: boolean;
  /** Folder for what the tour leaves to look at. */
  outputDir: string;
  say(zh: string, en: string): string;
}

/** One step: its name, and a run that returns whether each claim held. */
export interface Step {
  title(tour: Tour): string;
  run(tour: Tour): Promise<Claim[]>;
}

export interface Claim {
  ok: boolean;
  text: string;
}

/** A private key that opens nothing: shaped like one, built from parts so that no scanner takes it for a leak. */
export const PRIVATE_KEY = [
  `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----`,
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
  "QyNTUxOQAAACB0b3VyLW9mLWNsYXd4LXBsdWdpbnMtdGhpcy1rZXktaXMtbm90LXJlYWw=",
  `-----END OPENSSH ${"PRIVATE"} KEY-----`,
].join("\n");
export const PRIVATE_KEY_BODY = "QyNTUxOQAAACB0b3VyLW9mLWNsYXd4";
export const PHONE = ["138", "0013", "8000"].join("");
export const INTRANET = ["10", "20", "30", "41"].join(".");

interface ChatBody {
  model?: string;
  tools?: unknown[];
  messages?: { role?: string; content?: unknown }[];
}

/** The requests of agent turns a server got since `from`, newest last: titles and recaps offer no tools. */
export function turnsSince(server: ModelServer, from: number): RecordedRequest[] {
  return server.requests
    .slice(from)
    .filter((r) => ((r.json as ChatBody | undefined)?.tools?.length ?? 0) > 0);
}

export function modelOf(request: RecordedRequest | undefined): string {
  return (request?.json as ChatBody | undefined)?.model ?? "";
}

/** What surrounds the user's words in a request: KnowHub's reminder, the host's time stamp and line on the runtime. */
const SURROUNDINGS = [
  /<knowhub-reminder>[\s\S]*?<\/knowhub-reminder>\s*/,
  /^\[[^\]]* UTC\] /,
  /\n\nRuntime: agent=[^\n]*$/,
];

/** The texts of the user and assistant messages of a request, without what the host puts around them. */
export function conversationOf(request: RecordedRequest | undefined): string[] {
  const messages = (request?.json as ChatBody | undefined)?.messages ?? [];
  return messages
    .filter((m) => m.role === "user" || m.role === "assistant")
    .map((m) => ({ role: m.role, text: typeof m.content === "string" ? m.content : "" }))
    .filter((m) => m.text !== "" && !m.text.startsWith("<<<BEGIN_OPENCLAW"))
    .map((m) => `${m.role}: ${SURROUNDINGS.reduce((text, part) => text.replace(part, ""), m.text)}`);
}
