/**
 * The least a proxy can do: hand the bytes on, both ways, over undici's pool. The yardstick of `pnpm bench:proxy`;
 * run as a process: `node pass-through.ts PORT UPSTREAM_PORT`.
 */
import { createServer } from "node:http";
import { Pool } from "undici";

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`);

createServer((request, response) => {
  const { host: _host, connection: _connection, ...headers } = request.headers;
  pool
    .stream(
      { path: request.url ?? "/", method: "POST", headers, body: request, opaque: response },
      ({ statusCode, headers: answered }) => {
        response.writeHead(statusCode, answered);
        return response;
      },
    )
    .catch(() => response.destroy());
}).listen(port, "127.0.0.1", () => process.send?.("ready"));

// Ends with the benchmark, however that ends.
process.on("disconnect", () => process.exit());
