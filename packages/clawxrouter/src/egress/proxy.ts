import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { announceEgress } from "@clawx/shared-security";
import { Chains } from "./chains.ts";
import { exchange } from "./exchange.ts";
import { RequestGuard } from "./guards.ts";
import type { ExchangeContext } from "./passage.ts";
import { CloudBodies } from "./request/cloud-body.ts";
import { HeaderCheck } from "./request/header-check.ts";
import { SignatureLedger } from "./signatures.ts";
import { type EgressEvent, type EgressProxy, type EgressProxyOptions, PortBusyError } from "./types.ts";
import { UpstreamPool } from "./upstream.ts";

/**
 * Starts the egress proxy: the one way out for conversation text. It listens on loopback, inspects and redacts
 * every request, and restores the answers.
 *
 * @throws PortBusyError when the port is taken; TypeError when the install key has not the required form
 */
export async function createEgressProxy(options: EgressProxyOptions): Promise<EgressProxy> {
  let port = options.port;
  let inFlight = 0;
  const pool = new UpstreamPool();
  const context: ExchangeContext = {
    options,
    guard: new RequestGuard(options.installKey, () => port),
    cloudBodies: new CloudBodies(options.inspect, options.vault),
    headers: new HeaderCheck(options.inspect, options.vault),
    signatures: new SignatureLedger(),
    chains: new Chains(),
    pool,
    emit: (event: EgressEvent) => {
      try {
        options.onEvent?.(event);
      } catch {
        // A listener's fault is the listener's: traffic goes on, redacted as before.
      }
    },
  };
  const server = createServer({ keepAliveTimeout: 75_000, requestTimeout: 120_000 }, (request, response) => {
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
    void exchange(context, request, response);
  });
  // WebSocket upgrades and CONNECT carry what cannot be inspected.
  server.on("upgrade", (_request, socket) =>
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
  );
  server.on("connect", (_request, socket) =>
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
  );
  server.on("clientError", (_error, socket) => {
    if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
  });
  port = await listen(server, options.host ?? "127.0.0.1", options.port);
  const takeBack = announceEgress({ origin: `http://127.0.0.1:${port}`, upstreams: options.upstreams });

  return {
    port,
    inFlight: () => inFlight,
    async close(graceMs = 2000) {
      takeBack();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
      await pool.close();
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new PortBusyError(port) : error);
    });
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}
