import { parseArgs } from "node:util";

/** What the tour was asked to do. */
export interface TourOptions {
  /** End after the tour instead of leaving the gateway up. */
  exit: boolean;
  language: "zh" | "en";
  ollama?: { url: string; model: string };
  cloud?: { baseUrl: string; keyEnv: string; model: string; cheapModel: string };
}

export const USAGE = `pnpm start -- [options]     (or: npx -y pnpm@12 start [options])

  --exit                  end after the tour; exit code 1 when a step did not show what it claims
  --lang zh|en            language of the tour (default: from $LANG)
  --ollama URL            use a real Ollama as the local model, e.g. http://127.0.0.1:11434
  --ollama-model NAME     its model (default: openbmb/minicpm4.1)
  --cloud-base-url URL    use a real OpenAI-compatible cloud, e.g. https://api.example.com/v1
  --cloud-key-env NAME    environment variable that holds its key
  --cloud-model NAME      its main model (default: gpt-4o)
  --cheap-model NAME      its cheap model (default: gpt-4o-mini)
  --help`;

/** Reads the command line. @throws Error with a message for the user when an option is wrong or incomplete. */
export function readOptions(argv: string[], env: NodeJS.ProcessEnv): TourOptions | "help" {
  const { values } = parseArgs({
    // `pnpm start -- --exit` hands the `--` on.
    args: argv.filter((a) => a !== "--"),
    options: {
      exit: { type: "boolean", default: false },
      lang: { type: "string" },
      ollama: { type: "string" },
      "ollama-model": { type: "string", default: "openbmb/minicpm4.1" },
      "cloud-base-url": { type: "string" },
      "cloud-key-env": { type: "string" },
      "cloud-model": { type: "string", default: "gpt-4o" },
      "cheap-model": { type: "string", default: "gpt-4o-mini" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const language = values.lang ?? (/^zh/i.test(env.LC_ALL ?? env.LANG ?? "") ? "zh" : "en");
  if (language !== "zh" && language !== "en") throw new Error(`--lang ${language}: choose zh or en`);
  const options: TourOptions = { exit: values.exit, language };
  if (values.ollama) options.ollama = { url: url("--ollama", values.ollama), model: values["ollama-model"] };
  if (values["cloud-base-url"] || values["cloud-key-env"]) {
    const keyEnv = values["cloud-key-env"];
    if (!values["cloud-base-url"] || !keyEnv)
      throw new Error(
        "--cloud-base-url and --cloud-key-env go together: where the cloud is, and which variable holds its key",
      );
    if (!env[keyEnv]) throw new Error(`--cloud-key-env ${keyEnv}: that variable is not set in this shell`);
    options.cloud = {
      baseUrl: url("--cloud-base-url", values["cloud-base-url"]),
      keyEnv,
      model: values["cloud-model"],
      cheapModel: values["cheap-model"],
    };
  }
  return options;
}

function url(option: string, value: string): string {
  if (!URL.canParse(value) || !/^https?:/.test(value))
    throw new Error(`${option} ${value}: not an http(s) URL`);
  return value.replace(/\/$/, "");
}
