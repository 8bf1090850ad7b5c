/** Overview: sums, posture, and what mends it. */
import { createHash } from "node:crypto";
import { postureView } from "../../api/posture-text.ts";
import { hostFile, planFor, shown } from "../../api/setup.ts";
import { byLevel, byRoute, summarise, tokens } from "../../api/stats.ts";
import type { HourlyRow } from "../../ledger/rows.ts";
import { applySetup } from "../../setup/apply.ts";
import type { Dashboard, Handlers } from "../context.ts";
import type { Hourly } from "../contract.ts";
import { ApiError } from "../http/errors.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Steps of more than this many points are days, whatever was asked. */
const MOST_HOURS = 24 * 31;

export const overviewHandlers: Handlers<
  "summary" | "hourly" | "posture" | "selfTest" | "setupPlan" | "setup" | "reset"
> = {
  async summary({ dashboard: { engine, worker }, query }) {
    const { from, to } = rangeOf(query);
    engine.ledger().flush();
    const { rows, latency } = await worker.ask("summary", { from, to });
    return summarise(engine, from, to, rows, latency);
  },

  async hourly({ dashboard: { engine, worker }, query }): Promise<Hourly> {
    const { from, to } = rangeOf(query);
    const hours = (to - from) / HOUR;
    const step = hours > MOST_HOURS ? "day" : (query.step ?? (hours > 72 ? "day" : "hour"));
    engine.ledger().flush();
    const rows = await worker.ask("series", { from, to, stepMs: step === "day" ? DAY : HOUR });
    const isRequest = (row: HourlyRow) => row.kind === "request" || row.kind === "refused";
    return {
      from,
      to,
      step,
      models: grouped(
        rows.filter((row) => row.kind === "request"),
        ({ hour, provider, model }) => JSON.stringify([hour, provider, model]),
      ).map(([first, group]) => ({
        at: first.hour,
        provider: first.provider,
        model: first.model,
        requests: group.reduce((n, row) => n + row.n, 0),
        ...tokens(group),
        usd: group.reduce((usd, row) => usd + row.usd, 0),
        unpriced: group.reduce((n, row) => n + row.unpriced, 0),
      })),
      turns: counts(rows.filter((row) => row.kind === "onUserMessage")),
      requests: counts(rows.filter(isRequest)),
    };
  },

  posture: ({ dashboard }) => postureView(dashboard.api.posture()),

  async selfTest({ dashboard, audit }) {
    let rows: Awaited<ReturnType<typeof dashboard.api.selfTest>>;
    try {
      rows = await dashboard.api.selfTest();
    } catch (error) {
      throw new ApiError("unavailable", error instanceof Error ? error.message : "the proxy is not running");
    }
    dashboard.engine.reportPosture();
    const leaks = rows.filter((row) => row.leaked.length > 0);
    const mute = rows.filter((row) => !row.answered);
    const ok = leaks.length === 0 && mute.length === 0;
    audit("self-test", ok ? "passed" : "failed");
    return {
      ok,
      text: ok
        ? { en: `${rows.length} paths, nothing got through`, zh: `${rows.length} 条路径，没有内容泄漏` }
        : {
            en: `${leaks.length} paths leaked, ${mute.length} gave no answer`,
            zh: `${leaks.length} 条路径泄漏，${mute.length} 条没有应答`,
          },
      rows: rows.map(({ path, leaked, answered, detail }) => ({
        path,
        leaked: [...leaked],
        answered,
        detail,
      })),
    };
  },

  setupPlan: ({ dashboard }) => setupPlan(dashboard),

  async setup({ dashboard, body, audit }) {
    const { engine } = dashboard;
    const fault = engine.settings.error();
    if (fault !== undefined) throw new ApiError("invalid", fault, { fix: "mend clawxrouter.json first" });
    const view = setupPlan(dashboard);
    if (view.plan !== body.plan)
      throw new ApiError("conflict", "openclaw.json was changed since the plan was shown", {
        version: view.plan,
      });
    audit("setup", `${view.changes.length} changes`);
    await applySetup(
      planFor(engine, engine.hostConfig()),
      engine.configFile,
      hostFile(engine),
      dashboard.mutateHost,
    );
    engine.settings.reload();
    return postureView(dashboard.api.posture());
  },

  reset({ dashboard, body, audit }) {
    const { engine, api } = dashboard;
    if (body.what === "config") api.config.write({}, api.config.version());
    if (body.what === "prompts") for (const { name } of api.prompts()) api.resetPrompt(name);
    if (body.what === "statistics") {
      engine.resetLedger();
      void dashboard.worker.stop();
      dashboard.hub.reset();
    }
    audit("reset", body.what);
    return { done: true };
  },
};

function rangeOf(query: { days?: number; from?: number; to?: number }): { from: number; to: number } {
  const to = query.to ?? Date.now() + 1;
  const from = query.from ?? to - (query.days ?? 30) * DAY;
  if (from >= to) throw new ApiError("invalid", "from must be before to", { path: "/from" });
  return { from, to };
}

function setupPlan({ engine }: Dashboard) {
  const { changes, problems } = planFor(engine, engine.hostConfig());
  const plan = createHash("sha256").update(JSON.stringify(changes)).digest("hex").slice(0, 32);
  return { plan, changes: changes.map(shown), problems };
}

function grouped(
  rows: readonly HourlyRow[],
  key: (row: HourlyRow) => string,
): [first: HourlyRow, group: HourlyRow[]][] {
  return [...Map.groupBy(rows, key).values()].flatMap((group) =>
    group[0] === undefined ? [] : [[group[0], group] as [HourlyRow, HourlyRow[]]],
  );
}

function counts(rows: readonly HourlyRow[]) {
  return grouped(rows, (row) => String(row.hour)).map(([first, group]) => ({
    at: first.hour,
    byLevel: byLevel(group),
    byRoute: byRoute(group),
  }));
}
