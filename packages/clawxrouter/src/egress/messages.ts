import type { RefusalCode } from "./types.ts";

/** What the user reads in place of an answer, Chinese and English, by reason. */
const TEXTS: Partial<Record<RefusalCode, readonly [zh: string, en: string]>> = {
  "policy-s3": [
    "此请求包含私密内容（S3），未发送到云端模型。请改用本地模型，或移除私密内容后重试。",
    "This request holds private content (S3) and was not sent to the cloud model. Use a local model, or remove the private content and try again.",
  ],
  "policy-s2": [
    "此请求包含敏感内容（S2），按当前策略只能由本地模型处理，未发送到云端模型。",
    "This request holds sensitive content (S2); the current policy keeps it on local models. It was not sent to the cloud model.",
  ],
  "inspect-failed": [
    "隐私检测未能完成，为安全起见请求未发送。请检查本地检测模型是否在运行，磁盘是否已满：openclaw clawxrouter status",
    "Privacy detection did not finish, so nothing was sent. Check that the local detection model is running and that the disk is not full: openclaw clawxrouter status",
  ],
  "final-check": [
    "发送前的最后检查仍发现隐私内容，请求未发送。请查看：openclaw clawxrouter status",
    "The last check before sending still found private content, so nothing was sent. See: openclaw clawxrouter status",
  ],
  media: [
    "此请求包含无法检查隐私的附件（图片、音频或文件），未发送到云端模型。请改用能处理该附件的本地模型。",
    "This request holds an attachment (image, audio or file) that cannot be checked for private content; it was not sent to the cloud model. Use a local model that can read it.",
  ],
  closed: [
    "ClawXRouter 处于关闭状态，请求未发送。查看原因：openclaw clawxrouter posture",
    "ClawXRouter is closed, so nothing was sent. See why: openclaw clawxrouter posture",
  ],
  "local-not-local": [
    "配置为本地的模型服务不在本机，也不在允许的主机列表中，请求未发送。请检查其 baseUrl 或 localHosts 设置。",
    "The provider configured as local is neither on this machine nor on a listed host, so nothing was sent. Check its baseUrl or the localHosts setting.",
  ],
  "upstream-unreachable": [
    "本地模型没有响应；此请求包含私密内容，不会改用云端模型。请启动本地模型（例如 ollama serve）后重试。",
    "The local model did not answer, and this request holds private content, so no cloud model is used instead. Start the local model (e.g. ollama serve) and try again.",
  ],
  "bad-body": [
    "请求内容无法解析，因而无法检查隐私，未发送。",
    "The request body could not be parsed and so not be checked for private content; nothing was sent.",
  ],
};

/** The text of a synthetic completion. `detail` is added as it is and must hold nothing private. */
export function refusalText(code: RefusalCode, detail: string): string {
  const [zh, en] = TEXTS[code] ?? ["请求未发送。", "Nothing was sent."];
  return `🔒 ClawXRouter\n${zh}\n${en}\n(${code}: ${detail})`;
}
