import ipaddr from "ipaddr.js";

/** What an address is for, as far as privacy goes. */
export type IpKind = "private" | "public" | "special";

/**
 * Classifies a literal address: `private` for those of a local network (RFC 1918, RFC 6598, RFC 4193, link-local),
 * `public` for routable ones, `special` for loopback, unspecified, broadcast, multicast, documentation (RFC 5737,
 * RFC 3849), benchmarking and reserved ranges; undefined when the text is no address.
 * @param text four decimal parts, or IPv6 without zone and brackets.
 */
export function ipKind(text: string): IpKind | undefined {
  if (!text.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(text)) return undefined;
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  const range = address.range();
  switch (range) {
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
