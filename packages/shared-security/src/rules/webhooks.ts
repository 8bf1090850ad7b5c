import type { Rule } from "./rule.ts";

/** Made-up path parts for examples, so that no example is a whole webhook address in the source. */
const ID = "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d";
const UUID = "9da5da9c-4218-4c22-aed6-b5c8baebfff5";

/** Addresses that are passwords: who has them can post, or act as the bot. */
export const WEBHOOK_RULES: readonly Rule[] = [
  {
    id: "webhooks/slack",
    type: "WEBHOOK",
    level: "S2",
    confidence: 0.95,
    keywords: ["hooks.slack.com/"],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<v>[A-Za-z0-9+/_-]{30,120})/,
    examples: {
      ok: [`https://hooks.slack.com/services/T00AA1BB2/B00CC3DD4/${ID.slice(0, 24)}`],
      ng: ["https://hooks.slack.com/services/", "hooks.slack.com/services/T.../B.../xxx"],
    },
    source: "Slack API, Incoming webhooks",
  },
  {
    id: "webhooks/discord",
    type: "WEBHOOK",
    level: "S2",
    confidence: 0.95,
    keywords: ["/api/webhooks/"],
    pattern: /\/api\/webhooks\/\d{17,20}\/(?<v>[A-Za-z0-9_-]{60,80})/,
    examples: {
      ok: [`https://discord.com/api/webhooks/123456789012345678/${ID}${ID}`],
      ng: ["https://discord.com/api/webhooks/<id>/<token>", "/api/webhooks/1/x"],
    },
    source: "Discord Developer Documentation, Webhook resource",
  },
  {
    id: "webhooks/teams",
    type: "WEBHOOK",
    level: "S2",
    confidence: 0.95,
    keywords: [".office.com/webhook"],
    pattern:
      /\.office\.com\/webhook(?:b2)?\/(?<v>[0-9a-z-]{36}@[0-9a-z-]{36}\/IncomingWebhook\/[0-9a-z]{24,40}\/[0-9a-z-]{30,40}(?:\/[\w-]{10,80})?)/i,
    examples: {
      ok: [`https://outlook.office.com/webhook/${UUID}@${UUID}/IncomingWebhook/${ID}/${UUID}`],
      ng: [
        `https://outlook.office.com/webhook/${UUID}@${UUID}/JenkinsCI/${ID}/${UUID}`,
        "https://outlook.office.com/mail/",
      ],
    },
    source: "Microsoft Teams, Incoming webhooks",
  },
  {
    id: "webhooks/feishu",
    type: "WEBHOOK",
    level: "S2",
    confidence: 0.95,
    keywords: ["/open-apis/bot/v2/hook/", "/open-apis/bot/hook/"],
    pattern: /\/open-apis\/bot\/(?:v2\/)?hook\/(?<v>[0-9a-f-]{32,36})/i,
    examples: {
      ok: [`https://open.feishu.cn/open-apis/bot/v2/hook/${UUID}`],
      ng: ["https://open.feishu.cn/open-apis/bot/v2/hook/xxx"],
    },
    source: "飞书开放平台, 自定义机器人",
  },
  {
    id: "webhooks/wecom",
    type: "WEBHOOK",
    level: "S2",
    confidence: 0.95,
    keywords: ["/cgi-bin/webhook/send?key="],
    pattern: /\/cgi-bin\/webhook\/send\?key=(?<v>[0-9a-f-]{32,36})/i,
    examples: {
      ok: [`https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${UUID}`],
      ng: ["https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=YOUR_KEY"],
    },
    source: "企业微信开发者中心, 群机器人配置说明",
  },
  {
    id: "webhooks/dingtalk",
    type: "WEBHOOK",
    level: "S2",
    confidence: 0.95,
    keywords: ["/robot/send?access_token="],
    pattern: /\/robot\/send\?access_token=(?<v>[0-9a-f]{64})/i,
    examples: {
      ok: [`https://oapi.dingtalk.com/robot/send?access_token=${ID}${ID}`],
      ng: ["https://oapi.dingtalk.com/robot/send?access_token=xxx"],
    },
    source: "钉钉开放平台, 自定义机器人",
  },
  {
    id: "webhooks/telegram-bot",
    type: "ACCESS_TOKEN",
    level: "S2",
    confidence: 0.95,
    keywords: [":AA"],
    pattern: /(?<=(?<![\w.])(?:bot)?(?<left>\d{8,10})):AA[A-Za-z0-9_-]{32,34}(?![\w-])/,
    examples: {
      ok: [`123456789:${"AA"}${ID}x`, `https://api.telegram.org/bot1234567890:${"AA"}${ID}x/getMe`],
      ng: ["123:AAbc", "12345678:AA"],
    },
    source: "Telegram Bot API, Authorizing your bot",
  },
  {
    id: "webhooks/discord-bot",
    type: "ACCESS_TOKEN",
    level: "S2",
    confidence: 0.85,
    keywords: ["discord", "bot_token", "bot "],
    pattern:
      /(?:discord\w{0,20}|bot_token|bot)["']?\s{0,2}[:= ]\s{0,2}["']?(?:Bot )?(?<v>[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?![\w-])/i,
    examples: {
      ok: [`DISCORD_TOKEN=${"MTIz"}${ID.slice(0, 22)}.GabcDE.${ID.slice(0, 28)}`],
      ng: ["discord: https://discord.gg/x", "bot a.b.c"],
    },
    source: "Discord Developer Documentation, Authentication",
  },
];
