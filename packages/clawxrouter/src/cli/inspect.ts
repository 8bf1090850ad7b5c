/** `openclaw clawxrouter status | posture | stats | prompts | rules | selftest`. */
import { readFileSync } from "node:fs";
import { levelOf } from "@clawx/shared-security";
import { RouterApi } from "../api/index.ts";
import { ConfigError, parseConfig } from "../config-file/parse.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { Engine } from "../engine/engine.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";

export function addInspectCommands(root: Command, engine: () => Engine): void {
  root
    .command("status")
    .description("Posture, where private turns go, and the last decisions")
    .option("--json", "machine-readable")
    .action((options: { json?: boolean }) => {
      const now = engine();
      const api = new RouterApi(now);
      const posture = api.posture();
      const recent = api.detections({ limit: 5 });
      const local = now.models.localModel();
      if (options.json)
        return printJson({
          posture: posture.state,
          localModel: local ?? null,
          vaultValues: now.vault().size(),
          recent,
        });
      print(`posture      ${posture.state}`);
      print(`local model  ${local === undefined ? "none" : `${local.provider}/${local.model}`}`);
      print(`vault        ${now.vault().size()} values`);
      for (const row of recent)
        print(
          `${new Date(row.at).toISOString()}  ${row.level}  ${row.route}  ${row.checkpoint}  ${row.reason}`,
        );
    });
  root
    .command("posture")
    .description("Check everything the guarantee rests on (exit code 1 when it does not hold)")
    .option("--json", "machine-readable")
    .action((options: { json?: boolean }) => {
      const posture = new RouterApi(engine()).posture();
      if (options.json) printJson(posture);
      else {
        print(`posture: ${posture.state}`);
        for (const { ok, text, fix } of posture.items)
          print(`  ${ok ? "ok " : "NO "} ${text}${fix === undefined ? "" : `\n      fix: ${fix}`}`);
      }
      if (posture.state === "red") process.exitCode = 1;
    });
  root
    .command("stats")
    .description("Decisions, requests and cost")
    .option("--days <n>", "how far back", "30")
    .option("--json", "machine-readable")
    .action((options: { days: string; json?: boolean }) => {
      const sum = new RouterApi(engine()).summary(Math.max(1, Number(options.days) || 30));
      if (options.json) return printJson(sum);
      const line = (counts: Record<string, number>) =>
        Object.entries(counts)
          .filter(([, n]) => n > 0)
          .map(([k, n]) => `${k} ${n}`)
          .join("  ") || "none";
      print(`levels    ${line(sum.turns.byLevel)}`);
      print(`routes    ${line(sum.turns.byRoute)}`);
      print(`tiers     ${line(sum.turns.byTier)}`);
      print(`requests  ${sum.requests.total}, refused ${sum.requests.byRoute.blocked}`);
      const usd = (value: number | null) => (value === null ? "unknown" : `${value.toFixed(4)} USD`);
      const { spentUsd, unpriced, defaultModel, ifDefaultUsd } = sum.cost;
      const name =
        defaultModel === null ? "the default model" : `${defaultModel.provider}/${defaultModel.model}`;
      print(
        `cost      ${usd(spentUsd)}${unpriced > 0 ? ` + ${unpriced} requests of unknown price` : ""}; all at ${name}: ${usd(ifDefaultUsd)}`,
      );
      if (sum.budget.text !== "") print(`budget    ${sum.budget.text}`);
      if (sum.models.length > 0) {
        print(
          table([
            ["model", "requests", "input", "output", "cached", "USD"],
            ...sum.models.map((m) => [
              `${m.provider}/${m.model}`,
              `${m.requests}`,
              `${m.input}`,
              `${m.output}`,
              `${m.cacheRead}`,
              m.unpriced === m.requests ? "unknown" : m.usd.toFixed(4),
            ]),
          ]),
        );
      }
    });
  addPromptCommands(root, engine);
  root
    .command("rules")
    .description("Rules of clawxrouter.json")
    .command("check <file>")
    .description("Check a clawxrouter.json: settings, keywords, patterns; with --text try its rules")
    .option("--text <text>", "say what the rules find in this text")
    .action((file: string, options: { text?: string }) => {
      try {
        const { privacy } = parseConfig(readFileSync(file, "utf8"), file);
        const rules = new RuleDetector(privacy.rules);
        for (const [id, entry] of Object.entries(privacy.routers)) {
          if (entry.type === "configurable")
            new RuleDetector({
              builtin: false,
              keywords: entry.keywords,
              patterns: entry.patterns,
              allow: [],
            });
          else if (entry.type === "custom" && entry.module === undefined)
            throw new Error(`privacy.routers.${id}: type "custom" needs a module`);
        }
        print(`${file} is valid.`);
        if (options.text === undefined) return;
        const { findings } = rules.detect(options.text);
        print(levelOf(findings));
        for (const f of findings) print(`  ${f.level} ${f.type} at ${f.start}-${f.end} (${f.rule})`);
      } catch (error) {
        fail(
          error instanceof ConfigError
            ? error.message
            : `${file}: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    });
}

function addPromptCommands(root: Command, engine: () => Engine): void {
  root
    .command("prompts [action] [name]")
    .description("prompts list | show NAME | save NAME --file FILE | reset NAME")
    .option("--file <file>", "Markdown file to save")
    .action((action: string | undefined, name: string | undefined, options: { file?: string }) => {
      const api = new RouterApi(engine());
      try {
        if (action === undefined || action === "list") {
          for (const prompt of api.prompts())
            print(
              `${prompt.name}  ${prompt.edited ? "edited" : "as shipped"}  ${prompt.text.length} characters`,
            );
        } else if (name === undefined) fail("name a prompt: openclaw clawxrouter prompts list");
        else if (action === "show") process.stdout.write(engine().prompts.read(name).text);
        else if (action === "reset") print(`${api.resetPrompt(name).name} is as shipped.`);
        else if (action === "save" && options.file !== undefined)
          print(`${api.savePrompt(name, readFileSync(options.file, "utf8")).name} is saved.`);
        else fail("use: prompts list | show NAME | save NAME --file FILE | reset NAME");
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
}
