import { ipKind } from "../validators/ip.ts";
import { lineBefore, textAfter } from "./context.ts";
import type { Rule } from "./rule.ts";

export const NETWORK_RULES: readonly Rule[] = [
  {
    id: "network/private-ipv4",
    type: "INTERNAL_IP",
    level: "S2",
    confidence: 0.9,
    keywords: "number",
    firstDigits: "1",
    pattern: /(?<![\w.-]|\d,)(?:10|100|127|169|172|192)\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d|\/\d)/,
    validate: (value, context) => ipKind(value) === "private" && !VERSION_WORD.test(lineBefore(context, 24)),
    examples: {
      ok: ["ssh root@10.1.2.3", "http://192.168.1.20:8080/x", "主机172.16.8.9宕机"],
      ng: ["upgrade to version 10.0.19045.2", "8.8.8.8", "127.0.0.1:80", "10.0.0.0/8", "1.128.1.0"],
    },
    source: "RFC 1918, RFC 6598, RFC 3927",
  },
  {
    id: "network/intranet-host",
    type: "INTERNAL_HOST",
    level: "S2",
    confidence: 0.8,
    keywords: [".internal", ".intranet", ".corp", ".intra", ".lan"],
    pattern:
      /(?<=(?<![\w.@-])(?<left>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){0,4}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))\.(?:internal|intranet|corp|intra|lan)(?:\.[a-z0-9-]{2,63}){0,3}(?![\w(-]|\.\w)/i,
    validate: (value, context) =>
      !/^(?:host\.docker|metadata\.google|gateway\.docker|kubernetes\.docker|this|self|cls|module|req|ctx|options|config)\./i.test(
        value,
      ) && !textAfter(context, 1).startsWith("("),
    examples: {
      ok: ["see https://wiki.corp.example.com/x", "db01.internal:5432", "nas.lan is down"],
      ng: ["host.docker.internal", "this.internal = 1", "example.com"],
    },
    source: "RFC 6762 appendix G (private top-level names); ICANN resolution 2024.07.29.06 (.internal)",
  },
];

const VERSION_WORD =
  /(?:version|ver\.?|release|build|版本|升级|\bv)\s*[:：=]?\s*v?$|(?:版本|version)\b.{0,16}$/i;
