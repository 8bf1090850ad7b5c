/** What the user reads when a turn does not run. Chinese and English, and always what to do next. */
import type { ModelRef } from "./types.ts";

const both = (zh: string, en: string) => `🔒 ${zh}\n🔒 ${en}`;

export const MESSAGES = {
  noLocalModel: () =>
    both(
      "这条消息含有私密内容，只能由本地模型处理，但没有配置本地模型。内容没有发送到云端。请在 models.providers 中添加本地模型（如 Ollama），再运行：openclaw clawxrouter setup",
      "This message is private and only a local model may read it, but none is configured. Nothing was sent to the cloud. Add a local model (such as Ollama) to models.providers, then run: openclaw clawxrouter setup",
    ),
  localUnavailable: (local: ModelRef) =>
    both(
      `这条消息含有私密内容，但本地模型 ${local.provider}/${local.model} 不可用。内容没有发送到云端。请启动本地模型后重试。`,
      `This message is private, and the local model ${local.provider}/${local.model} is not available. Nothing was sent to the cloud. Start the local model and try again.`,
    ),
  unprotected: (provider: string) =>
    both(
      `这条消息含有敏感内容，但模型服务 ${provider} 没有经过 ClawXRouter 代理，无法脱敏。内容没有发送。请运行：openclaw clawxrouter setup`,
      `This message holds sensitive values, and provider ${provider} is not behind the ClawXRouter proxy, so they cannot be redacted. Nothing was sent. Run: openclaw clawxrouter setup`,
    ),
  blockedByRule: (reason: string) =>
    both(`这条消息被路由规则拦截：${reason}`, `This message was blocked by a routing rule: ${reason}`),
  pathBlocked: (rule: string) =>
    both(
      `文件受隐私规则保护（${rule}），云端模型不能访问。`,
      `This file is protected by the privacy rule ${rule}: a cloud model may not touch it.`,
    ),
  toolBlocked: (reason: string) =>
    both(`工具调用被隐私规则拦截：${reason}`, `The tool call was stopped by a privacy rule: ${reason}`),
  addressBlocked: (host: string, type: string) =>
    both(
      `该请求会把私密内容（${type}）放在网址里发送给 ${host}，而用户没有提到过这个网站，因此没有执行。如果确实需要，请用户在消息中写出 ${host}。`,
      `The call would send a private value (${type}) to ${host} in its address, and the user has not named that host: it was not made. If it is wanted, the user can write ${host} in a message.`,
    ),
  stranded: (provider: string) =>
    both(
      `ClawXRouter 不知道模型服务 ${provider} 的真实地址：clawxrouter.json 无效或丢失。内容没有发送。请查看：openclaw clawxrouter posture`,
      `ClawXRouter does not know the true address of provider ${provider}: clawxrouter.json is not valid, or was lost. Nothing was sent. Look at: openclaw clawxrouter posture`,
    ),
  proxyDown: () =>
    both(
      "ClawXRouter 代理没有运行，内容没有发送。请启动网关（openclaw gateway），或查看：openclaw clawxrouter posture",
      "The ClawXRouter proxy is not running, so nothing was sent. Start the gateway (openclaw gateway), or look at: openclaw clawxrouter posture",
    ),
} as const;
