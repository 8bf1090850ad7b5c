/**
 * The tour behind `npx -y pnpm@12 start`: builds, boots a real gateway on a temporary home with all four packages
 * installed as a user would, and shows what each does, read from what the model servers really received.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { oneTimeLink } from "../e2e/dashboard/client.ts";
import {
  freePort,
  type Gateway,
  ModelServer,
  openaiCompletions,
  startGateway,
} from "../e2e/harness/index.ts";
import { buildPackages } from "../scripts/build.ts";
import { readOptions, type TourOptions, USAGE } from "./options.ts";
import { Screen } from "./screen.ts";
import type { Tour } from "./tour/context.ts";
import { dashboardSteps } from "./tour/dashboard.ts";
import { evaluationSteps } from "./tour/evaluation.ts";
import { knowledgeSteps } from "./tour/knowledge.ts";
import { logSteps } from "./tour/log.ts";
import { routingSteps } from "./tour/routing.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);

const screen = new Screen();
let options: TourOptions;
try {
  const read = readOptions(process.argv.slice(2), process.env);
  if (read === "help") {
    screen.line(USAGE);
    process.exit(0);
  }
  options = read;
} catch (error) {
  screen.line(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exit(2);
}
const say = (zh: string, en: string) => (options.language === "zh" ? zh : en);

screen.title(say("准备", "Preparing"));
await screen.during(say("构建四个包", "building the four packages"), () => buildPackages([], () => {}));

const cloud = new ModelServer({
  name: "cloud",
  protocols: [openaiCompletions],
  hostname: "cloud.test",
  ...(options.cloud && { forwardTo: options.cloud.baseUrl }),
});
const local = new ModelServer({
  name: "local",
  protocols: [openaiCompletions],
  ...(options.ollama && { forwardTo: `${options.ollama.url}/v1` }),
});

let gateway: Gateway | undefined;
let stopping: Promise<never> | undefined;
/** A second Ctrl-C (pnpm hands its own on to us as well) must not end the process before the first has cleaned up. */
function stop(code: number): Promise<never> {
  stopping ??= (async (): Promise<never> => {
    await gateway?.close();
    process.exit(code);
  })();
  return stopping;
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(130));

let failures = 0;
try {
  gateway = await screen.during(
    say(
      "安装到一个临时的 OpenClaw 并启动网关",
      "installing into a temporary OpenClaw and starting its gateway",
    ),
    () => boot(options),
  );
  const outputDir = path.join(root, ".cache", "tour");
  mkdirSync(outputDir, { recursive: true });
  const tour: Tour = {
    gateway,
    cloud,
    local,
    screen,
    options,
    outputDir,
    say,
    scripted: !options.cloud && !options.ollama,
  };
  const steps = [...routingSteps, ...knowledgeSteps, ...logSteps, ...dashboardSteps, ...evaluationSteps];
  for (const [index, step] of steps.entries()) {
    screen.title(`${index + 1}/${steps.length}  ${step.title(tour)}`);
    for (const claim of await step.run(tour)) {
      screen.check(claim.ok, claim.text);
      if (!claim.ok) failures++;
    }
  }
} catch (error) {
  failures++;
  screen.line(screen.style("red", error instanceof Error ? (error.stack ?? error.message) : String(error)));
}

screen.title(
  failures === 0
    ? say("导览完成：每一步都如所说", "The tour is done: every step showed what it claims")
    : say(`导览完成：${failures} 处与所说不符`, `The tour is done: ${failures} claims did not hold`),
);
if (options.exit || !gateway) await stop(failures === 0 ? 0 : 1);
else {
  const link = await oneTimeLink(gateway);
  const pages = [
    [say("ClawXRouter 面板（一次性链接）", "ClawXRouter dashboard (one-time link)"), link],
    [say("OpenClaw 面板", "OpenClaw dashboard"), `${gateway.url}/#token=${gateway.token}`],
    [say("日志状态", "log status"), `${gateway.url}/plugins/llm-logger/status`],
    [say("网关", "gateway"), `${gateway.url}   HOME=${gateway.home}`],
  ];
  for (const [name, where] of pages) screen.line(`  ${name}\n    ${where}`);
  screen.line(`  ${say("按 Ctrl-C 结束并清除", "Ctrl-C ends it and cleans up")}`);
}

/** The gateway of the tour, with `clawxrouter setup` done as the README says, before the first start. */
async function boot({ cloud: realCloud, ollama }: TourOptions): Promise<Gateway> {
  const main = realCloud?.model ?? "main";
  const cheap = realCloud?.cheapModel ?? "cheap";
  const proxyPort = await freePort();
  const tier = (model: string) => ({ provider: "cloud", model });
  const model = (id: string, input: number) => ({
    id,
    name: id,
    contextWindow: 128_000,
    maxTokens: 4_096,
    input: ["text"],
    reasoning: false,
    cost: { input, output: input * 2, cacheRead: 0, cacheWrite: 0 },
  });
  return startGateway({
    plugins: { clawxrouter: {}, "llm-logger-plugin": {}, "knowhub-plugin": {} },
    models: { cloud, local },
    ...(realCloud && { env: { [realCloud.keyEnv]: process.env[realCloud.keyEnv] ?? "" } }),
    config: {
      agents: { defaults: { model: { primary: `cloud/${main}` }, utilityModel: `cloud/${cheap}` } },
      models: {
        providers: {
          cloud: {
            models: [model(main, 3), model(cheap, 0.1)],
            ...(realCloud && { apiKey: `\${${realCloud.keyEnv}}` }),
          },
          ...(ollama && { local: { models: [model(ollama.model, 0)] } }),
        },
      },
    },
    files: {
      ".openclaw/clawxrouter.json": JSON.stringify({
        privacy: { proxyPort },
        tokenSaver: {
          tiers: {
            SIMPLE: tier(cheap),
            MEDIUM: tier(main),
            COMPLEX: tier(main),
            RESEARCH: tier(main),
            REASONING: tier(main),
          },
        },
      }),
    },
    beforeStart: async (g) => {
      await g.cli(["clawxrouter", "setup", "--yes"], { check: true });
    },
  });
}
