import { words } from "./words.ts";

export const modelWords = words({
  en: {
    choose: "Choose a model",
    notConfigured: "No provider of the host lists this model: it is left alone.",
    localProvider: (id: string) => `${id} (on this machine)`,
  },
  zh: {
    choose: "选择模型",
    notConfigured: "宿主没有列出此模型的服务商，因此不会使用它。",
    localProvider: (id: string) => `${id}（本机）`,
  },
});
