import { createServer } from "node:net";

/** Ports handed out in this process: two gateways that start together must not get the same one. */
const taken = new Set<number>();

/**
 * A loopback TCP port that is free now. The kernel picks it, so parallel test files rarely clash;
 * there is still a moment between this call and the bind in which another process may take it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer();
      server.once("error", reject);
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        server.close(() =>
          address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
        );
      });
    });
    if (!taken.has(port)) {
      taken.add(port);
      return port;
    }
  }
}
