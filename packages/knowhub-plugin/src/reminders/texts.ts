import type { Language } from "../tools/messages.ts";

/** Marks what this plugin put into a prompt, so that it can be told from what the user wrote, and taken out again. */
export const REMINDER_OPEN = "<knowhub-reminder>";
export const REMINDER_CLOSE = "</knowhub-reminder>";

/** Every reminder is one of these constants, byte for byte: text that varied would spoil the provider's prompt cache. */
export const REMINDERS: Readonly<Record<Language, { notice: string; periodic: string }>> = {
  zh: {
    notice: `${REMINDER_OPEN}
💡 KnowHub 知识库已启用

可用工具：
- kb_search: 搜索知识（遇到复杂任务、不确定用什么工具、多次失败时）
- kb_save: 保存知识（使用资源后、获得用户反馈后、搜索过程有发现时）
- kb_update: 反馈知识有效性（使用知识后）

建议：开始任务前先搜索相关知识，完成后及时保存新发现。
${REMINDER_CLOSE}`,
    periodic: `${REMINDER_OPEN}
💡 提醒：如果遇到复杂问题、使用了工具/资源、或获得了用户反馈，记得用 kb_save 保存知识到 KnowHub。
${REMINDER_CLOSE}`,
  },
  en: {
    notice: `${REMINDER_OPEN}
💡 The KnowHub knowledge base is on

Tools:
- kb_search: search knowledge (before a complex task, when unsure which tool to use, after repeated failures)
- kb_save: save knowledge (after using a resource, getting user feedback, finding something out)
- kb_update: say whether a piece of knowledge helped (after using it)

Search before starting a task, and save what is new when it is done.
${REMINDER_CLOSE}`,
    periodic: `${REMINDER_OPEN}
💡 Reminder: after a hard problem, the use of a tool or resource, or feedback from the user, save what was learnt with kb_save.
${REMINDER_CLOSE}`,
  },
};
