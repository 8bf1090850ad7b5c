import ipaddr from "ipaddr.js";

/** What an address is for, as far as privacy goes. */
export type IpKind = "private" | "public" | "special";

/** Four decimal parts without leading zeros, which would be octal to some readers. */
const FOUR_PARTS = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/;

/**
 * Classifies a literal address: `private` for those of a local network (RFC 1918, RFC 6598, RFC 4193, link-local),
 * `public` for routable ones, `special` for loopback, unspecified, broadcast, multicast, documentation (RFC 5737,
 * RFC 3849), benchmarking and reserved ranges; undefined when the text is no address.
 * @param text four decimal parts, or IPv6 without zone and brackets.
 */
export function ipKind(text: string): IpKind | undefined {
  const address = parse(text);
  switch (address?.range()) {
    case undefined:
      return undefined;
    case "private":
    case "carrierGradeNat":
    case "uniqueLocal":
    case "linkLocal":
      return "private";
    case "unicast":
      return "public";
    default:
      return "special";
  }
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes(":")) return ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
  const parts = FOUR_PARTS.exec(text)?.slice(1).map(Number);
  return parts?.every((part) => part <= 255) ? new ipaddr.IPv4(parts) : undefined;
}
