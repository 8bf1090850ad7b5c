import { formatPercent } from "./format.ts";
import { center } from "./methods.ts";
import { isDict, iterate, length, Markup, PyTuple, str, toNumber, truthy } from "./python.ts";
import { argument, type Filter } from "./runtime.ts";

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
};

/** markupsafe.escape. */
export function escapeHtml(value: unknown): Markup {
  return value instanceof Markup ? value : new Markup(str(value).replace(/[&<>'"]/g, (c) => ESCAPES[c] ?? c));
}

function indentText(text: string, prefix: string, first: boolean, blank: boolean): string {
  const lines = text.split("\n");
  const rest = lines.slice(1).map((line) => (blank || line !== "" ? prefix + line : line));
  const head = first ? prefix + (lines[0] ?? "") : (lines[0] ?? "");
  return [head, ...rest].join("\n");
}

function truncateText(text: string, size: number, killwords: boolean, end: string, leeway: number): string {
  const chars = [...text];
  if (chars.length <= size + leeway) return text;
  const kept = chars.slice(0, Math.max(0, size - [...end].length)).join("");
  if (killwords) return kept + end;
  const space = kept.lastIndexOf(" ");
  return (space < 0 ? kept : kept.slice(0, space)) + end;
}

/** Where CPython's textwrap cuts a chunk that is longer than a line: the room left, or its last hyphen there. */
function cutAt(chunk: string[], room: number, hyphens: boolean): number {
  const space = Math.max(1, room);
  if (!hyphens || chunk.length <= space) return space;
  const hyphen = chunk.lastIndexOf("-", space - 1);
  return hyphen > 0 && chunk.slice(0, hyphen).some((c) => c !== "-") ? hyphen + 1 : space;
}

/** textwrap.wrap on one line. */
function wrapLine(line: string, width: number, breakLong: boolean, breakHyphens: boolean): string[] {
  const splitter = breakHyphens ? /( +|(?<=[\p{L}]{2}-)(?=[\p{L}]))/u : /( +)/;
  const queue = line
    .replace(/[\t\n\v\f\r]/g, " ")
    .split(splitter)
    .filter((chunk) => chunk !== "" && chunk !== undefined)
    .map((chunk) => [...chunk]);
  const lines: string[] = [];
  let current: string[] = [];
  const flush = () => {
    const text = current.join("").trimEnd();
    if (text !== "") lines.push(text);
    current = [];
  };
  const blank = (chunk: string[]) => chunk.every((c) => c === " ");
  while (queue.length > 0) {
    const chunk = queue[0] as string[];
    if (blank(chunk) && current.length === 0 && lines.length > 0) queue.shift();
    else if (current.length + chunk.length <= width) current.push(...(queue.shift() as string[]));
    else if (chunk.length > width && breakLong) {
      const end = cutAt(chunk, width - current.length, breakHyphens);
      current.push(...chunk.slice(0, end));
      queue[0] = chunk.slice(end);
      flush();
    } else if (current.length === 0) {
      current.push(...(queue.shift() as string[]));
      flush();
    } else flush();
  }
  flush();
  return lines;
}

/** json.dumps with Python's separators, then made safe for HTML as htmlsafe_json_dumps does. */
function toJson(value: unknown, indent: number | undefined): string {
  const dump = (item: unknown, depth: number): string => {
    const pad = indent === undefined ? "" : `\n${" ".repeat(indent * (depth + 1))}`;
    const close = indent === undefined ? "" : `\n${" ".repeat(indent * depth)}`;
    const comma = indent === undefined ? ", " : ",";
    if (Array.isArray(item))
      return item.length === 0
        ? "[]"
        : `[${pad}${item.map((i) => dump(i, depth + 1)).join(comma + pad)}${close}]`;
    if (isDict(item)) {
      const entries = Object.entries(item).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      return entries.length === 0
        ? "{}"
        : `{${pad}${entries.map(([k, v]) => `${jsonString(k)}: ${dump(v, depth + 1)}`).join(comma + pad)}${close}}`;
    }
    if (typeof item === "string" || item instanceof Markup) return jsonString(str(item));
    if (item === null || item === undefined) return "null";
    if (typeof item === "boolean") return String(item);
    return str(item);
  };
  return dump(value, 0).replace(/[<>&']/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function jsonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function quoteUrl(value: unknown, slashIsSafe: boolean): string {
  const quoted = encodeURIComponent(str(value)).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return slashIsSafe ? quoted.replaceAll("%2F", "/") : quoted.replaceAll("%20", "+");
}

function fileSize(value: unknown, binary: boolean): string {
  const bytes = typeof value === "string" ? Number(value) : toNumber(value);
  const base = binary ? 1024 : 1000;
  const prefixes = binary
    ? ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"]
    : ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${Math.trunc(bytes)} Bytes`;
  for (const [i, prefix] of prefixes.entries()) {
    const unit = base ** (i + 2);
    if (bytes < unit || i === prefixes.length - 1) return `${((base * bytes) / unit).toFixed(1)} ${prefix}`;
  }
  return str(value);
}

/** Keeps the kind: a filter on Markup gives Markup. */
function likewise(value: unknown, text: string): unknown {
  return value instanceof Markup ? new Markup(text) : text;
}

export const TEXT_FILTERS: Record<string, Filter> = {
  capitalize: (v) => {
    const [first = "", ...rest] = [...str(v)];
    return likewise(v, first.toUpperCase() + rest.join("").toLowerCase());
  },
  center: (v, call) => likewise(v, center(str(v), toNumber(argument(call, 0, "width", 80)))),
  escape: (v) => escapeHtml(v),
  e: (v) => escapeHtml(v),
  forceescape: (v) => escapeHtml(str(v)),
  format: (v, call) =>
    formatPercent(str(v), Object.keys(call.kwargs).length > 0 ? call.kwargs : PyTuple.make(call.args)),
  indent: (v, call) => {
    const width = argument(call, 0, "width", 4);
    const prefix = typeof width === "string" ? width : " ".repeat(toNumber(width));
    return likewise(
      v,
      indentText(
        str(v),
        prefix,
        truthy(argument(call, 1, "first", false)),
        truthy(argument(call, 2, "blank", false)),
      ),
    );
  },
  join: (v, call, context) => {
    const attribute = argument(call, 1, "attribute");
    const items = iterate(v).map((item) =>
      attribute === undefined ? item : context.attribute(item, attribute),
    );
    const glue = argument(call, 0, "d", "");
    if (context.autoescape || items.some((i) => i instanceof Markup)) {
      return new Markup(items.map((i) => escapeHtml(i).text).join(escapeHtml(glue).text));
    }
    return items.map(str).join(str(glue));
  },
  length: (v) => length(v),
  count: (v) => length(v),
  lower: (v) => likewise(v, str(v).toLowerCase()),
  upper: (v) => likewise(v, str(v).toUpperCase()),
  title: (v) => likewise(v, titleWords(str(v))),
  trim: (v, call) => {
    const chars = argument(call, 0, "chars");
    if (chars === undefined || chars === null) return likewise(v, str(v).trim());
    const set = `[${str(chars).replace(/[\\\]^-]/g, "\\$&")}]`;
    return likewise(v, str(v).replace(new RegExp(`^${set}+|${set}+$`, "gu"), ""));
  },
  replace: (v, call, context) => {
    const [from, to, count] = [
      argument(call, 0, "old"),
      argument(call, 1, "new"),
      argument(call, 2, "count"),
    ];
    const source = context.autoescape ? escapeHtml(v).text : str(v);
    const parts = source.split(str(from));
    const limit =
      count === undefined || count === null ? parts.length - 1 : Math.min(toNumber(count), parts.length - 1);
    const out =
      parts.slice(0, limit + 1).join(str(to)) +
      parts
        .slice(limit + 1)
        .map((part) => str(from) + part)
        .join("");
    return likewise(v, out);
  },
  safe: (v) => new Markup(str(v)),
  string: (v) => (v instanceof Markup ? v : str(v)),
  striptags: (v) =>
    str(v)
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/<[^>]*>/g, "")
      .replace(/\s+/g, " ")
      .trim()
      .replace(
        /&(amp|lt|gt|#39|#34|quot);/g,
        (_, name: string) => ({ amp: "&", lt: "<", gt: ">", "#39": "'", "#34": '"', quot: '"' })[name] ?? "",
      ),
  tojson: (v, call) => {
    const indent = argument(call, 0, "indent");
    return new Markup(toJson(v, indent === undefined || indent === null ? undefined : toNumber(indent)));
  },
  truncate: (v, call) =>
    truncateText(
      str(v),
      toNumber(argument(call, 0, "length", 255)),
      truthy(argument(call, 1, "killwords", false)),
      str(argument(call, 2, "end", "...")),
      toNumber(argument(call, 3, "leeway", 5) ?? 5),
    ),
  urlencode: (v) => {
    if (typeof v === "string" || v instanceof Markup || !(isDict(v) || Array.isArray(v)))
      return quoteUrl(v, true);
    const pairs = isDict(v) ? Object.entries(v) : (v as unknown[][]);
    return pairs.map(([k, value]) => `${quoteUrl(k, false)}=${quoteUrl(value, false)}`).join("&");
  },
  urlize: (v) => {
    const text = escapeHtml(v).text.replace(
      /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)]/g,
      (url) => `<a href="${url}" rel="noopener">${url}</a>`,
    );
    return new Markup(text);
  },
  filesizeformat: (v, call) => fileSize(v, truthy(argument(call, 0, "binary", false))),
  wordcount: (v) => (str(v).match(/[\p{L}\p{N}_]+/gu) ?? []).length,
  wordwrap: (v, call) => {
    const width = toNumber(argument(call, 0, "width", 79));
    const breakLong = truthy(argument(call, 1, "break_long_words", true));
    const glue = argument(call, 2, "wrapstring");
    const hyphens = truthy(argument(call, 3, "break_on_hyphens", true));
    return str(v)
      .split(/\r\n|\r|\n/)
      .map((line) =>
        wrapLine(line, width, breakLong, hyphens).join(
          glue === undefined || glue === null ? "\n" : str(glue),
        ),
      )
      .join(glue === undefined || glue === null ? "\n" : str(glue));
  },
  xmlattr: (v, call) => {
    const pairs = Object.entries(isDict(v) ? v : {}).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    const text = pairs.map(([k, value]) => `${escapeHtml(k).text}="${escapeHtml(value).text}"`).join(" ");
    return new Markup(text !== "" && truthy(argument(call, 0, "autospace", true)) ? ` ${text}` : text);
  },
};

function titleWords(text: string): string {
  return text
    .split(/([-\s({[<]+)/)
    .map((part) => (part === "" ? part : (part[0] ?? "").toUpperCase() + part.slice(1).toLowerCase()))
    .join("");
}
