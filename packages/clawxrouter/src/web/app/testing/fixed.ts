/** Answers of the made-up gateway that do not change. */
import type { Answer, Models, Posture } from "../../contract.ts";

export const POSTURE: Posture = {
  state: "red",
  items: [
    {
      id: "config",
      ok: true,
      severity: "red",
      text: { en: "clawxrouter.json is valid", zh: "clawxrouter.json 有效" },
      fix: null,
    },
    {
      id: "access",
      ok: true,
      severity: "red",
      text: { en: "conversation access is granted", zh: "已授予会话访问权限" },
      fix: null,
    },
    {
      id: "proxy",
      ok: true,
      severity: "red",
      text: { en: "the proxy listens on 127.0.0.1:8403", zh: "代理监听 127.0.0.1:8403" },
      fix: null,
    },
    {
      id: "provider:openrouter",
      ok: false,
      severity: "red",
      text: {
        en: "provider openrouter (used by /agents/defaults/model/primary) is not behind the proxy",
        zh: "服务商 openrouter（用于 /agents/defaults/model/primary）未经过代理",
      },
      fix: {
        text: { en: "Put it behind the proxy", zh: "让它经过代理" },
        command: "openclaw clawxrouter setup --yes",
        action: "setup",
      },
    },
    {
      id: "local-model",
      ok: false,
      severity: "yellow",
      text: {
        en: "no local model: private turns end with an explanation",
        zh: "没有本地模型：私密对话会以说明结束",
      },
      fix: {
        text: {
          en: "add a local model to models.providers (e.g. Ollama), then: openclaw clawxrouter setup --yes",
          zh: "在 models.providers 中加入本地模型（如 Ollama），再运行 openclaw clawxrouter setup --yes",
        },
        command: null,
        action: null,
      },
    },
  ],
};

export const SELF_TEST: Answer<"selfTest"> = {
  ok: true,
  text: { en: "12 canaries through 4 paths, none got out", zh: "12 个诱饵经 4 条路径，均未泄露" },
  rows: ["user message", "history", "tool result", "embeddings"].map((name) => ({
    path: name,
    leaked: [],
    answered: true,
    detail: "",
  })),
};

export const SETUP_PLAN: Answer<"setupPlan"> = {
  plan: "made-up-plan",
  changes: [
    {
      path: "/models/providers/openrouter/baseUrl",
      before: '"https://openrouter.example/api/v1"',
      after: '"http://127.0.0.1:8403/k/…/openrouter/v1"',
      note: "through the proxy",
    },
  ],
  problems: [],
};

const priced = (id: string, input: number, output: number) => ({
  id,
  contextWindow: 128_000,
  input: ["text"],
  price: { input, output, cacheRead: input / 10, cacheWrite: null },
  priceFrom: "host" as const,
});

export const MODELS: Models = {
  providers: [
    {
      id: "openrouter",
      api: "openai-completions",
      local: false,
      protected: true,
      models: [
        priced("glm-4.5-air", 0.2, 1.1),
        priced("minimax-m2.5", 0.3, 1.2),
        priced("deepseek-v3.2", 0.28, 0.42),
        priced("glm-5", 1, 3.2),
        { ...priced("kimi-k2.5", 0.6, 3), price: null, priceFrom: null },
      ],
    },
    {
      id: "anthropic",
      api: "anthropic-messages",
      local: false,
      protected: true,
      models: [priced("claude-sonnet-4.6", 3, 15)],
    },
    {
      id: "ollama",
      api: "ollama",
      local: true,
      protected: true,
      models: [
        {
          id: "qwen3:8b",
          contextWindow: 32_000,
          input: ["text", "image"],
          price: { input: 0, output: 0, cacheRead: null, cacheWrite: null },
          priceFrom: "local",
        },
      ],
    },
  ],
  default: { provider: "anthropic", model: "claude-sonnet-4.6" },
  local: { provider: "ollama", model: "qwen3:8b" },
};

export const PROMPT_TEXTS = {
  "detection-system":
    "You classify text.\n\nS1 is safe, S2 holds sensitive values, S3 is private.\nAnswer with JSON only.",
  "guard-agent-system": "You answer on the user's own machine.\nNothing you see leaves it.",
  "token-saver-judge": "Grade how hard the task is:\nSIMPLE, MEDIUM, COMPLEX, RESEARCH or REASONING.",
} as const;
