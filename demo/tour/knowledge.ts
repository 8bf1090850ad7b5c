import type { ToolCall } from "../../e2e/harness/index.ts";
import type { Claim, Step, Tour } from "./context.ts";

const TASK = "GitHub 备份脚本上传失败";

/** With the scripted cloud the agent itself calls the tool; a real model is not made to, so the CLI stands in. */
async function useTool(tour: Tour, session: string, call: ToolCall, cli: string[]): Promise<string> {
  if (!tour.scripted) return (await tour.gateway.cli(["knowhub", ...cli])).stdout;
  let told = "";
  const off = tour.cloud.script((request) => {
    if (request.kind !== "chat" || !request.lastUserText.includes(call.name)) return undefined;
    if (!request.afterTool) return { toolCalls: [call] };
    told = request.texts.findLast((t) => t.role === "tool")?.text ?? "";
    return { text: "ok" };
  });
  try {
    const prompt = tour.say(`请使用 ${call.name}`, `please use ${call.name}`);
    tour.screen.says(tour.say("你", "you"), prompt, "bold");
    await tour.gateway.turn(session, prompt, { via: "chat.send" });
  } finally {
    off();
  }
  tour.screen.says(call.name, told, "green", 8);
  return told;
}

const save: Step = {
  title: (tour) =>
    tour.say(
      "记住 → kb_save，换一个会话再 kb_search",
      "Remember → kb_save, then kb_search in another session",
    ),
  async run(tour): Promise<Claim[]> {
    const content = "上传失败多半是令牌没有 repo 权限；在脚本里先运行 gh auth status。";
    const saved = await useTool(
      tour,
      "notes",
      { name: "kb_save", arguments: { task: TASK, content, types: ["tool"], score: 4, source_name: "tour" } },
      ["save", "--task", TASK, "--content", content, "--types", "tool", "--score", "4"],
    );
    const found = await useTool(
      tour,
      "notes-later",
      { name: "kb_search", arguments: { query: "备份脚本上传不了" } },
      ["search", "备份脚本上传不了"],
    );
    return [
      { ok: /knowledge-\d{8}-/.test(saved), text: tour.say("已保存，有编号", "saved, with an id") },
      { ok: found.includes(TASK), text: tour.say("用别的说法也找到了", "found again by other words") },
      ...(tour.scripted
        ? [
            {
              ok: found.includes("<knowhub-experiences>"),
              text: tour.say(
                "模型看到的是加了框的资料，不是指令",
                "the model sees framed data, not instructions",
              ),
            },
          ]
        : []),
    ];
  },
};

export const knowledgeSteps: Step[] = [save];
