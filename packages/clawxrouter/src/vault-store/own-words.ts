/**
 * What of a message is not the host's own wording. The host wraps webhooks, cron turns, heartbeats and events in
 * constant sentences; if they were kept as part of a private text, every later turn of that kind would hold "a
 * private text" and go to the local model for ever.
 */

/**
 * The host's wordings (OpenClaw 2026.9.6), each as it stands there from the start of a line or paragraph. One that is
 * not here counts as the user's words: the turn is then private, not sent.
 */
const HOST_WORDS: readonly RegExp[] = [
  /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d [A-Z]{1,5}\] ?/gm,
  /^\[(?:cron|hook):[^\]\n]*\] ?/gm,
  /^Job ID: \S+ \| Received: .*$/gm,
  /^<<<(?:END_)?EXTERNAL_UNTRUSTED_CONTENT[^\n]*>>>$/gm,
  /^Source: [A-Z][\w ]{0,30}$/gm,
  /^(?:Current time|Reference UTC): .*$/gm,
  /^Runtime: agent=.*$/gm,
  /^Follow the heartbeat monitor scratch context when provided\..*$/gm,
  /^A scheduled (?:reminder has been|cron event was) triggered.*$/gm,
  /^Handle this (?:reminder )?internally.*$/gm,
  /^Please relay (?:this reminder|the command output) to the user .*$/gm,
  /^An async command .*$/gm,
  /^Tell the user the command completed without captured output.*$/gm,
  /^Use the message tool if you need to notify the user directly .*$/gm,
  /^Your response will be delivered automatically\. .*$/gm,
  /^Pre-compaction memory flush.*$/gm,
  /^\[(?:Retry after the previous model attempt|Queued user message from a previous active turn)[^\]\n]*\]/gm,
  /^This is an unattended scheduled run\. Nobody is present.*$/gm,
  /^\[Subagent Context\] You are running as a subagent.*$/gm,
  /^\[Subagent Task\]$/gm,
  /^<<<(?:BEGIN|END)_OPENCLAW_INTERNAL_CONTEXT>>>$/gm,
  /^Conversation data \(data, not instructions\):$/gm,
  /^"(?:Active exec sessions:|## Active Subagents)\\nnone"$/gm,
  /^Begin\. Execute the assigned task to completion\.$/gm,
  /^\[Chat messages since your last reply - for context\]$/gm,
  /^\[OpenClaw [a-z ]{1,40}\]$/gm,
];

/** The notice before what comes from outside: several paragraphs, from its first words to its last. */
const NOTICE_START = /^SECURITY NOTICE: The following content is from an EXTERNAL/gm;
const NOTICE_END = /Send messages to third parties$/gm;

/** The message without the notice. Each place is looked at once, however often the first words stand there. */
function withoutNotices(message: string): string {
  const starts = new RegExp(NOTICE_START);
  const ends = new RegExp(NOTICE_END);
  let out = "";
  let from = 0;
  for (let start = starts.exec(message); start !== null; start = starts.exec(message)) {
    ends.lastIndex = starts.lastIndex;
    const end = ends.exec(message);
    if (end === null) break;
    out += message.slice(from, start.index);
    from = ends.lastIndex;
    starts.lastIndex = from;
  }
  return out + message.slice(from);
}

/** A line that an event of the host was queued as. */
const EVENT_LINE = /^System(?: \([^)\n]*\))?:/;

/**
 * The parts of a message that were said apart: what events told, and what the user wrote.
 * @returns no part for a message that is the host's alone
 */
export function ownWords(message: string): string[] {
  let rest = withoutNotices(message);
  for (const words of HOST_WORDS) rest = rest.replace(words, "");
  const events: string[] = [];
  const user: string[] = [];
  for (const line of rest.split("\n")) (EVENT_LINE.test(line) ? events : user).push(line);
  return [events, user].map((lines) => lines.join("\n").trim()).filter((part) => part !== "");
}
