import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Correlator } from "../correlate/correlator.ts";
import type { CaptureSink } from "./seam.ts";
import { wsModule } from "./ws-module.ts";

let dir: string;
beforeEach(() => {
  // Node's own loader resolves links: the real path is the one it caches by.
  dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-ws-")));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const sink: CaptureSink = {
  correlator: new Correlator(),
  callStarted: () => undefined,
  callEnded: () => undefined,
  http: () => undefined,
  socket: () => undefined,
  payload: () => undefined,
  fault: () => undefined,
};

/** A host whose launcher and whose compiled code each have a `ws` of their own. */
function hostWith(...folders: string[]): string {
  for (const folder of folders) {
    const home = path.join(dir, folder, "node_modules", "ws");
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(path.join(home, "package.json"), '{"name":"ws","main":"index.js"}');
    fs.writeFileSync(
      path.join(home, "index.js"),
      'module.exports = class extends require("node:events") { send() {} };',
    );
  }
  return path.join(dir, "openclaw.js");
}

it.each([
  [["."], "watching 1 copy of ws"],
  [[".", "dist"], "watching 2 copies of ws"],
  [[], "the host has no ws module"],
])("a host with ws in %j: %s", (folders, reason) => {
  const seam = wsModule(sink, hostWith(...folders));
  seam.start();
  try {
    expect(seam.status().reason).toBe(reason);
  } finally {
    seam.stop();
  }
});
