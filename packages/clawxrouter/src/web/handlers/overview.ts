/** Overview: sums, posture, and what mends it. */
import { createHash } from "node:crypto";
import { postureView } from "../../api/posture-text.ts";
import { hostFile, planFor, shown, withoutKeys } from "../../api/setup.ts";
import { summarise } from "../../api/stats.ts";
import { isZone } from "../../ledger/days.ts";
import { applySetup } from "../../setup/apply.ts";
import type { Dashboard, Handlers } from "../context.ts";
import { sendText } from "../http/answer.ts";
import { ApiError } from "../http/errors.ts";
import { attempt } from "./config.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Longer ranges are told day by day, whatever was asked. */
const MOST_HOURS = 24 * 8;

export const overviewHandlers: Handlers<
  "summary" | "hourly" | "posture" | "selfTest" | "setupPlan" | "setup" | "reset"
> = {
  async summary({ dashboard: { engine, worker }, query }) {
    const { from, to } = rangeOf(query);
    engine.ledger().settle();
    const { rows, latency } = await worker.ask("summary", { from, to });
    return summarise(engine, from, to, rows, latency);
  },

  async hourly({ dashboard: { engine, worker }, query, response }) {
    const { from, to } = rangeOf(query);
    const hours = (to - from) / HOUR;
    const zone = query.zone ?? "UTC";
    if (!isZone(zone)) throw new ApiError("invalid", "zone: not an IANA time zone", { path: "/zone" });
    const step = hours > MOST_HOURS ? "day" : (query.step ?? (hours > 72 ? "day" : "hour"));
    engine.ledger().settle();
    // Made into text by the worker: it may be long, and this thread has other things to do.
    sendText(response, await worker.ask("hourly", { from, to, step, zone }));
    return undefined;
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

  async reset({ dashboard, body, audit }) {
    const { engine, api } = dashboard;
    if (body.what === "config") {
      attempt(() => api.config.write({}, api.config.version()));
      await engine.settings.ready();
    }
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
  return { plan, changes: changes.map(shown), problems: problems.map(withoutKeys) };
}
