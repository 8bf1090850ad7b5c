import type { InjectionFamily, InjectionProfile } from "./types.ts";

/** A signal of form, not of words. Positions are in the text the shape was looked for in. */
export interface Shape {
  rule: string;
  family: InjectionFamily;
  weight: number;
  start: number;
  end: number;
}

type Find = (text: string, profile: InjectionProfile, add: (shape: Shape) => void) => void;

/** Tags that only a chat template writes; a component name like `<tool-bar>` is none. */
const ROLE_TAG =
  /<\s{0,3}[/\\|]?\s{0,3}(?:system|assistant|developer|tool_result|tool_results|tool_call|tool_response|function_results?|function_calls?|sysprompt|system_prompt|system-prompt|system_instructions?|im_start|im_end|start_of_turn|end_of_turn|endoftext|begin_of_text|start_header_id|end_header_id|eot_id|knowhub-experiences)(?:\s[^<>\n]{0,60})?\s{0,3}[|/]?>/g;
const TEMPLATE =
  /\[\/?inst\]|<<\/?sys>>|<\|[a-z_]{3,24}\|>|<\/?s>\s?\[inst|\[(?:system|assistant|developer)\](?:\(#[a-z]{1,20}\))?\s?:?/g;
const ROLE_LINE =
  /(?:^|\n)[ \t]{0,4}(?:#{1,4} ?)?(?:\*\*)?(?:system|assistant|developer|human|ai)(?: (?:message|prompt|instruction|override|note))?(?:\*\*)? ?:(?=[ \t]{0,3}\S)/g;
const INSTRUCTION_HEAD =
  /(?:^|\n)#{2,4} ?(?:instruction|instructions|new instructions?|system|response|input)s? ?:?[ \t]{0,3}(?=\n)/g;
const FRAME_END =
  /(?:^|\n)[ \t]{0,4}(?:[-=#*%~]{3,12} ?)(?:end of|begin|end|start)[^\n]{0,40}?(?:instructions?|prompt|document|context|input|message|data|user|email|text|ambiguity|output)[^\n]{0,20}/g;

/** What a forged system message goes on with. */
const COMMAND =
  /^[\s:"'*]{0,6}(?:you (?:are|must|will|now|have)|ignore|new |from now|forget|obey|override|disregard|do not|never)/;

const findTags: Find = (text, profile, add) => {
  const report = (rule: string, family: InjectionFamily, weight: number, match: RegExpExecArray) =>
    add({ rule, family, weight, start: match.index, end: match.index + match[0].length });
  const commands = (match: RegExpExecArray) => {
    const end = match.index + match[0].length;
    return COMMAND.test(text.slice(end, end + 40));
  };
  const inData = profile === "untrusted-data";
  if (text.includes("<") || text.includes("[")) {
    const tags = [...text.matchAll(ROLE_TAG)];
    // One opening tag alone may be asked about; a pair, an end or a command after it is a message forged.
    const forged = tags.length > 1 || tags.some((tag) => /^<\s*[/\\|]/.test(tag[0]) || commands(tag));
    for (const tag of tags) report("shape/role-tag", "role-spoofing", forged ? 0.65 : 0.35, tag);
    for (const match of text.matchAll(TEMPLATE)) report("shape/chat-template", "role-spoofing", 0.65, match);
  }
  if (text.includes(":")) {
    for (const match of text.matchAll(ROLE_LINE)) {
      report("shape/role-line", "role-spoofing", commands(match) ? 0.55 : inData ? 0.35 : 0.2, match);
    }
  }
  if (text.includes("##")) {
    for (const match of text.matchAll(INSTRUCTION_HEAD)) {
      report("shape/instruction-heading", "delimiter-encoding", inData ? 0.35 : 0.2, match);
    }
  }
  for (const match of text.matchAll(FRAME_END)) {
    report("shape/forged-delimiter", "delimiter-encoding", 0.35, match);
  }
};

/** `<SYSTEM MODE>`, `[override mode]`, `<\MODO_SISTEMA>`: a mode switched on by a made-up tag. */
const MODE_TAG =
  /[<[]\s{0,2}[\\/]?[^<>[\]{}()\n]{0,30}?(?:mode\b|modo\b|modus\b|modalita\b|режим|モード|模式|모드|मोड|মোড|โหมด|وضع|che do)[^<>[\]{}()\n]{0,30}[>\]]/g;
const findModes: Find = (text, _profile, add) => {
  for (const match of text.matchAll(MODE_TAG)) {
    if (
      !/syst|sist|god|deus|dios|dieu|dio\b|tuhan|admin|root|debug|override|sicherh|maint|systeme|систем|システム|セキュリティ|オーバー|系统|系統|상|시스템|सिस्टम|সিস্টেম|ระบบ|النظام|हे thong|активир|activ|aktiv|सक्रिय/.test(
        match[0],
      )
    )
      continue;
    add({
      rule: "shape/mode-tag",
      family: "role-spoofing",
      weight: 0.6,
      start: match.index,
      end: match.index + match[0].length,
    });
  }
};

const FLOOD_WORDS = 1_200;
/** Where up to {@link FLOOD_WORDS} words start, and a number for what each begins with. */
function wordKeys(text: string): { starts: number[]; keys: number[] } {
  const starts: number[] = [];
  const keys: number[] = [];
  const end = Math.min(text.length, 6_000);
  let key = 0;
  let letters = -1;
  for (let i = 0; i <= end && keys.length < FLOOD_WORDS; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    if (code <= 32) {
      if (letters >= 0) keys.push(key);
      letters = -1;
      continue;
    }
    if (letters < 0) {
      starts.push(i);
      key = 0;
      letters = 0;
    }
    const letter = code > 127 || (code >= 48 && code <= 57) || (code >= 97 && code <= 122);
    // Damaged copies of a word still begin alike: five letters count. Paths and code are only alike as a whole.
    if (letter ? letters++ < 5 : code === 46 || code === 47 || code === 96 || code === 95) {
      key = (Math.imul(key, 31) + code) | 0;
    }
  }
  return { starts, keys };
}

/** The same few words over and over, to push the real instructions out of attention. */
const findFlood: Find = (text, profile, add) => {
  if (profile !== "user-prompt") return;
  const { starts, keys } = wordKeys(text);
  for (let period = 1; period <= 4; period++) {
    let run = 0;
    for (let i = period; i < keys.length; i++) {
      run = keys[i] === keys[i - period] ? run + 1 : 0;
      // Numbers repeat in tables too, so they need a longer run.
      if (run !== 9 * period && run !== 24) continue;
      const start = starts[i - run] as number;
      const sample = text.slice(start, Math.min((starts[i] as number) + 1, start + 60));
      if (!/\p{L}{2}/u.test(sample) && (run < 24 || !/\d{2}/.test(sample))) continue;
      add({
        rule: "shape/flood",
        family: "delimiter-encoding",
        weight: 0.55,
        start,
        end: starts[i] as number,
      });
      return;
    }
  }
};

/** A dialogue that never took place, ending in the question that is really asked. */
const QUESTION =
  /(?:^|[\s.。।?])(?:q|question|p|d|f|s|t|в|вопрос|س|প্রশ্ন|प्रश्न|질문|问|問|ถาม|tanong|soru|frage|pregunta|pergunta|domanda|cau hoi|hoi)\s?[:：ঃ]/gu;
const ANSWER =
  /(?:^|[\s.。।?])(?:a|answer|r|j|c|o|о|ответ|ج|উত্তর|उत्तर|ए|답|답변|答|ตอบ|sagot|cevap|antwort|respuesta|resposta|risposta|reponse|tra loi|dap)\s?[:：ঃ]/gu;
const findFewShot: Find = (text, profile, add) => {
  if (profile !== "user-prompt") return;
  if (!text.includes(":") && !text.includes("：") && !text.includes("ঃ")) return;
  const questions = [...text.slice(0, 20_000).matchAll(QUESTION)].map((match) => match.index);
  if (questions.length < 2) return;
  const answers = [...text.slice(0, 20_000).matchAll(ANSWER)].map((match) => match.index);
  const first = questions[0] as number;
  const last = questions.at(-1) as number;
  if (answers.some((at) => at > first && at < last)) {
    add({
      rule: "shape/made-up-dialogue",
      family: "payload-splitting",
      weight: 0.5,
      start: first,
      end: last + 2,
    });
  }
};

/** Many unrelated questions in a row: overload, with the real one hidden among them. */
const findOverload: Find = (text, profile, add) => {
  if (profile !== "user-prompt" || text.length > 8_000) return;
  const marks = [...text.matchAll(/\?(?=[\s"']|$)|[？؟]/g)].map((match) => match.index);
  if (marks.length >= 7 && text.length / marks.length < 90) {
    add({
      rule: "shape/question-flood",
      family: "payload-splitting",
      weight: 0.5,
      start: marks[0] as number,
      end: (marks.at(-1) as number) + 1,
    });
  }
};

/** Where a named person lives: nobody's business but that person's. */
const WHERE_LIVES = /\bwhere (?:does|do|is) (?:the )?[a-z'. ]{2,30}? (?:liv(?:e|ing)|resid(?:e|ing))\b/g;
const findWhereabouts: Find = (text, profile, add) => {
  if (profile !== "user-prompt" || !text.includes("where")) return;
  for (const match of text.matchAll(WHERE_LIVES)) {
    add({
      rule: "shape/whereabouts",
      family: "exfiltration",
      weight: 0.5,
      start: match.index,
      end: match.index + match[0].length,
    });
  }
};

/** Words of more than four letters that end in "ay" in plain English. */
const PLAIN_AY =
  /^(?:.*day|always|away|anyway|essay|delay|array|relay|display|replay|gateway|highway|pathway|subway|railway|runway|doorway|halfway|hallway|overlay|inlay|betray|portray|spray|stray|decay|okay|essays|survey|norway|x-ray|hooray|throwaway|takeaway|giveaway|getaway|someway|paraguay|uruguay|bombay|malay|ballet|underway|screenplay|gameplay|foreplay|outlay|broadway|freeway|leeway|midway|segway|stairway|driveway|airway|waterway|byway|faraway|straightaway|right-away)$/;
/** Three words or more of pig latin, a quarter of their sentence. */
const findPigLatin: Find = (text, profile, add) => {
  if (profile !== "user-prompt" || text.length > 8_000) return;
  for (const sentence of text.matchAll(/[^.!?\n]{10,400}/g)) {
    const words = sentence[0].match(/[a-z-]{3,}/g) ?? [];
    const odd = words.filter(
      (word) => word.length > 4 && /[bcdfghjklmnpqrstvwxyz]ay$/.test(word) && !PLAIN_AY.test(word),
    );
    if (new Set(odd).size >= 3 && odd.length * 4 >= words.length) {
      add({
        rule: "shape/pig-latin",
        family: "delimiter-encoding",
        weight: 0.55,
        start: sentence.index,
        end: sentence.index + sentence[0].length,
      });
    }
  }
};

/** Looked for in the folded text. */
export const SHAPES: readonly Find[] = [
  findTags,
  findModes,
  findFlood,
  findFewShot,
  findOverload,
  findWhereabouts,
  findPigLatin,
];
