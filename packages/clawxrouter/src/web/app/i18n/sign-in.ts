import { words } from "./words.ts";

export const signInWords = words({
  en: {
    title: "Sign in to ClawXRouter",
    help: "This page shows what your agents say and where it goes, so it opens only for you.",
    byLink: "With a one-time link",
    linkHelp: "Run this where the gateway runs, then open the link it prints:",
    byToken: "With the gateway token",
    tokenHelp: "gateway.auth.token in openclaw.json. It stays on this machine.",
    token: "Gateway token",
    signIn: "Sign in",
    signingIn: "Signing in…",
    using: "Signing in with your link…",
    linkUsed: "This link was used already or is too old. Make a new one:",
  },
  zh: {
    title: "登录 ClawXRouter",
    help: "本页会显示智能体说了什么、发往何处，因此只对你开放。",
    byLink: "使用一次性链接",
    linkHelp: "在网关所在机器上运行以下命令，然后打开它给出的链接：",
    byToken: "使用网关令牌",
    tokenHelp: "即 openclaw.json 中的 gateway.auth.token，不会离开本机。",
    token: "网关令牌",
    signIn: "登录",
    signingIn: "正在登录…",
    using: "正在用链接登录…",
    linkUsed: "该链接已被使用或已过期，请重新生成：",
  },
});
