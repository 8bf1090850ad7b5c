/** A gateway with the dashboard and some life in it: turns of every level, a tool that returns a value, a model that fails. */
import type { Page } from "playwright-core";
import { BASE_PATH } from "../../packages/clawxrouter/src/web/routes.ts";
import { freePort, type Gateway, modelServer, startGateway } from "../harness/index.ts";

// Made up, and built from parts so that no scanner takes this file for a leak.
export const PHONE = `138${"0013".repeat(2)}`;
/** One that no correction allows. */
export const OTHER_PHONE = `139${"2468".repeat(2)}`;
export const EMAIL = ["li.wei", "customer-mail.cn"].join("@");
const PRIVATE_KEY = [
  `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----`,
  "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW",
  `-----END OPENSSH ${"PRIVATE"} KEY-----`,
].join("\n");
/** The line of the key that must be seen nowhere. */
export const KEY_BODY = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ";

const TABS = ["overview", "sessions", "detections", "rules", "cost", "config"] as const;

export { TABS };

/** Models with the names of the default tiers, so that the page shows what a user's would. */
const CLOUD_MODELS: readonly (readonly [string, number, number])[] = [
  ["claude-sonnet-4.6", 3, 15],
  ["glm-4.5-air", 0.2, 1.1],
  ["minimax-m2.5", 0.3, 1.2],
  ["deepseek-v3.2", 0.28, 0.42],
  ["glm-5", 1, 3.2],
  ["kimi-k2.5", 0.6, 3],
];

export async function openStage(): Promise<Gateway> {
  const proxyPort = await freePort();
  const model = (id: string, input: number, output: number) => ({
    id,
    name: id,
    contextWindow: 128_000,
    maxTokens: 4_096,
    input: ["text"],
    reasoning: false,
    cost: { input, output, cacheRead: input / 10, cacheWrite: 0 },
  });
  return startGateway({
    plugins: { clawxrouter: {} },
    models: { cloud: modelServer("cloud"), local: modelServer("local") },
    config: {
      agents: { defaults: { model: { primary: "cloud/claude-sonnet-4.6" } } },
      models: {
        providers: {
          cloud: { models: CLOUD_MODELS.map(([id, input, output]) => model(id, input, output)) },
          local: { models: [model("qwen3:8b", 0, 0)] },
        },
      },
    },
    files: {
      ".openclaw/clawxrouter.json": JSON.stringify({
        privacy: { proxyPort },
        tokenSaver: { budget: { dayUsd: 2, monthUsd: 30 } },
      }),
      "contacts.txt": `Li Wei, phone ${PHONE}, mail ${EMAIL}\n`,
    },
    beforeStart: async (made) => {
      await made.cli(["clawxrouter", "setup", "--yes"], { check: true });
    },
  });
}

/** Conversations that fill every tab. @throws when a turn gets no answer */
export async function live(gateway: Gateway): Promise<void> {
  const say = async (session: string, text: string) => {
    const result = await gateway.turn(session, text);
    if (!result.ok) throw new Error(`no answer in ${session}: ${result.error}`);
  };
  await say("writing", "Summarise in one sentence: HTTP is a protocol for documents.");
  await say("writing", "What is the difference between HTTP 401 and 403?");
  await say("writing", "Prove that the square root of two is irrational, step by step, and check each step.");
  await say("support", `请给 ${PHONE} 发一条短信，说服务器已恢复`);
  gateway.models.cloud?.queue(
    { toolCalls: [{ name: "read", arguments: { path: `${gateway.home}/contacts.txt` } }] },
    { text: "The contact is in the file." },
  );
  await say("support", "Read contacts.txt in my home folder and tell me who is in it.");
  await say("keys", `What is wrong with this key?\n${PRIVATE_KEY}`);
  await say("keys", "Thanks. And what is a symlink?");
}

/** Goes to a tab as a link does, and waits until what it shows is there. */
export async function visit(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${place}`)}`);
  const tab = place.split("?")[0];
  await page.waitForSelector(`nav a[href="#/${tab}"][aria-current="page"]`);
  await page.waitForSelector("main h1");
  // Not by a function in the page: its security policy forbids what that needs.
  await page.waitForSelector("main .skeleton", { state: "detached" });
}

export async function openFolds(page: Page): Promise<void> {
  await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
}

export function addressOf(gateway: Gateway): string {
  return `${gateway.url}${BASE_PATH}`;
}
