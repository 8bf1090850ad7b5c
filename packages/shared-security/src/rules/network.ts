import { ipKind } from "../validators/ip.ts";
import { lineBefore, textAfter } from "./context.ts";
import type { MatchContext, Rule } from "./rule.ts";

export const NETWORK_RULES: readonly Rule[] = [
  {
    id: "network/private-ipv4",
    type: "INTERNAL_IP",
    level: "S2",
    confidence: 0.9,
    keywords: "number",
    firstDigits: "1",
    pattern: /(?<![\w.-]|\d,)(?:10|100|127|169|172|192)\.\d{1,3}\.\d{1,3}\.\d{1,3}(?![\w-]|\.\d|\/\d)/,
    validate: (value, context) =>
      ipKind(value) === "private" && !WELL_KNOWN.has(value) && !isVersion(value, context),
    examples: {
      ok: [
        "ssh root@10.1.2.3",
        "http://192.168.1.20:8080/x",
        "主机172.16.8.9宕机",
        "macOS 10.15.7 on 10.1.2.3",
      ],
      ng: [
        "upgrade to version 10.0.19.2",
        "8.8.8.8",
        "127.0.0.1:80",
        "10.0.0.0/8",
        "1.128.1.0",
        "169.254.169.254",
      ],
    },
    source: "RFC 1918, RFC 6598, RFC 3927",
  },
  {
    id: "network/public-ipv4",
    type: "IP_ADDRESS",
    level: "S2",
    confidence: 0.7,
    keywords: "number",
    pattern: /(?<![\w.-]|\d,)(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d|\/\d)/,
    validate: (value, context) =>
      ipKind(value) === "public" && !WELL_KNOWN.has(value) && !isVersion(value, context),
    examples: {
      ok: ["address 172.61.42.192 blocked", "client_ip=106.31.73.20|x", "登录IP：36.160.14.148"],
      ng: [
        "upgrade node-foo to version 1.128.1.0 (was 1.2.3.4)",
        "8.8.8.8",
        "192.0.2.7",
        "0.0.0.0",
        "255.255.255.0",
        "版本 1.2.3.6",
        "see 22.1.3.4 Array",
      ],
    },
    source: "RFC 791; RFC 6890 (special-purpose ranges)",
  },
  {
    id: "network/ipv6",
    type: "IP_ADDRESS",
    level: "S2",
    confidence: 0.8,
    keywords: [..."0123456789abcdef:"].map((next) => `:${next}`),
    pattern:
      /(?<=(?<![\w:.])(?<left>[0-9a-f]{1,4}))(?::[0-9a-f]{1,4}){7}(?![\w:./])|(?<=(?<![\w:.])(?<left>[0-9a-f]{1,4}))(?=(?::[0-9a-f]{0,4}){2,7}(?![\w:.]))(?::[0-9a-f]{1,4}){0,6}::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5}(?![\w:./])/i,
    validate: (value) => {
      const kind = ipKind(value);
      // `a::b` is an address as well as a C++ name: at least two groups, one of them with a digit.
      return (kind === "public" || kind === "private") && /\d/.test(value) && /[\da-f]{2}/i.test(value);
    },
    examples: {
      ok: [
        "address 6e40:4041:c617:e898:c11:40d2:c669:2eb4 blocked",
        "ping fe80::1ff:fe23:4567:890a",
        "2400:3200::1 x",
      ],
      ng: ["::1", "a::b", "12:30:45", "2001:db8::1", "std::vector", "00:1a:2b:3c:4d:5e"],
    },
    source: "RFC 4291 section 2.2; RFC 3849 (documentation prefix)",
  },
  {
    id: "network/intranet-host",
    type: "INTERNAL_HOST",
    level: "S2",
    confidence: 0.8,
    keywords: [".internal", ".intranet", ".corp", ".intra", ".lan"],
    pattern:
      /(?<=(?<![\w.@-])(?<left>(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){0,4}[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?))\.(?:internal|intranet|corp|intra|lan)(?:\.[a-z][a-z0-9-]{1,40}){0,2}(?![\w(-]|\.\w)/i,
    validate: isIntranetHost,
    examples: {
      ok: [
        "see https://wiki.corp.acme.com/x",
        "postgres at db01.internal:5432",
        "ssh nas.lan",
        "jump-host.intranet is down",
      ],
      ng: [
        "host.docker.internal",
        "this.internal = 1",
        "hooks.internal.entries",
        `"openclaw.internal"`,
        "wiki.corp.example.com",
      ],
    },
    source: "RFC 6762 appendix G (private top-level names); ICANN resolution 2024.07.29.06 (.internal)",
  },
  {
    id: "network/server-name",
    type: "INTERNAL_HOST",
    level: "S2",
    confidence: 0.7,
    keywords: ["-srv-", "-dc-", "-db-", "-web-", "-app-"],
    pattern:
      /(?<=(?<![\w./@-])(?<left>[a-z][a-z0-9]{1,14}(?:-[a-z0-9]{2,8})?))-(?:srv|dc|db|web|app)-\d{1,4}(?![\w-])/i,
    examples: {
      ok: ["prod-db-01 磁盘满了", "restart corp-web-3"],
      ng: ["my-app-v2", "create-web-app", "-db-1"],
    },
    source: "naming custom: site-role-number (RFC 1178 on choosing names)",
  },
  {
    id: "network/mac-address",
    type: "MAC_ADDRESS",
    level: "S2",
    confidence: 0.6,
    keywords: ["mac"],
    pattern:
      /(?<![A-Za-z])mac(?:[ _-]?addr(?:ess)?|地址)?["']?[ ]?[:：=]?[ ]?["']?(?<v>(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2})(?![\w:-])/i,
    examples: {
      ok: ["MAC: 3c:22:fb:9a:01:7e", "MAC地址 3C-22-FB-9A-01-7E"],
      ng: ["3c:22:fb:9a:01:7e", "macOS 12:34:56"],
    },
    source: "IEEE 802, EUI-48",
  },
];

/** Resolvers and metadata services that everyone knows: they say nothing about anyone. */
const WELL_KNOWN = new Set(
  "8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 114.114.114.114 223.5.5.5 223.6.6.6 119.29.29.29 180.76.76.76 169.254.169.254 100.100.100.200 1.2.3.4 5.6.7.8 1.2.3.5".split(
    " ",
  ),
);

const VERSION_WORD =
  /(?:versions?|\bver\b\.?|release[ds]?|\bbuild\b|upgrad\w*|\bsemver|\bv|版本|升级|发布|chrome\/|safari\/|edg\/|openssl|node-\w+)[^\n]{0,30}$/i;

const ADDRESS_WORD =
  /(?:\bip\b|\bips\b|address|host|server|ping|ssh|client|remote|服务器|主机|地址|登录)[^\n]{0,20}$/i;

/** `version 1.128.1.0 (was 1.2.3.4)`: four numbers, yet no address. Nearer words win. */
function isVersion(value: string, context: MatchContext): boolean {
  const before = lineBefore(context, 40);
  if (ADDRESS_WORD.test(before)) return false;
  if (VERSION_WORD.test(before)) return true;
  // Sections of standards (`22.1.3.4`) and versions have four small numbers; public addresses hardly ever.
  return ipKind(value) === "public" && value.split(".").every((part) => Number(part) < 32);
}

const NOT_A_HOST =
  /^(?:(?:host|gateway|kubernetes|vm)\.(?:docker|orb|containers|lima)|docker\.orb|metadata\.google|this|self|cls|module|req|ctx|options|config|hooks|window|entry)\./i;

const TOP_LEVEL = /\.(?:internal|intranet|corp|intra|lan)/i;

/** A label of a host, not a property: with a scheme, a port, a number in it, or a word that says so. */
function isIntranetHost(value: string, context: MatchContext): boolean {
  if (NOT_A_HOST.test(value) || /\.(?:example|test|invalid)(?:\.|$)|\bexample\./i.test(value)) return false;
  const after = textAfter(context, 6);
  const before = lineBefore(context, 20);
  if (/[A-Z]|-.*\d/.test(value.slice(value.search(TOP_LEVEL) + 1))) return false;
  return (
    /(?:\/\/|@)$/.test(before) ||
    /^(?::\d{2,5}|\/\w)/.test(after) ||
    /[\d-]/.test(value.slice(0, value.search(TOP_LEVEL))) ||
    /(?:host|server|ssh|ping|curl|nslookup|dig|主机|服务器|域名|域控|内网)\W{0,3}\w{0,8}\W{0,2}$/i.test(
      before,
    )
  );
}
