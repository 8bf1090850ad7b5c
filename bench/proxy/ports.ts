/** Ports of the benchmark's processes, all on loopback. */
export const PORTS = { upstream: 21001, passThrough: 21002, clawxrouter: 21003, portkey: 21004 } as const;

/** Install key of the proxy under test. */
export const KEY = "benchmark-install-key-0123456789abcdef";
