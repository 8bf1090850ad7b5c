import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gatewaySecrets, isGatewaySecret, realmOf } from "./gateway-secret.ts";
import { CODE_LIFETIME_MS, issueCode, takeCode } from "./one-time.ts";
import { SESSION_LIFETIME_MS, Sessions } from "./sessions.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-auth-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function exchange(cookie?: string) {
  const request = new IncomingMessage(new Socket());
  if (cookie !== undefined) request.headers.cookie = cookie;
  return { request, response: new ServerResponse(request) };
}

function signIn(sessions: Sessions): { cookie: string; csrf: string } {
  const { response } = exchange();
  const { csrf } = sessions.begin(response, false);
  return { cookie: String(response.getHeader("set-cookie")).split(";")[0] ?? "", csrf };
}

describe("sessions", () => {
  const make = (realm: () => string, now?: () => number) =>
    new Sessions({ dataDir: dir, realm, ...(now === undefined ? {} : { now }) });

  it("are known again after a restart, by hash only, and end with the gateway's token", () => {
    let realm = "a";
    const { cookie, csrf } = signIn(make(() => realm));
    const again = make(() => realm);
    expect(again.of(exchange(cookie).request)?.csrf).toBe(csrf);
    const file = path.join(dir, "dashboard-sessions.json");
    expect(readFileSync(file, "utf8")).not.toContain(cookie.split("=")[1]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    realm = "b";
    expect(again.of(exchange(cookie).request)).toBeUndefined();
  });

  it("end by time and by signing out; others stay", () => {
    let now = 1_000;
    const sessions = make(
      () => "a",
      () => now,
    );
    const [one, two] = [signIn(sessions), signIn(sessions)];
    const { request, response } = exchange(one.cookie);
    sessions.end(request, response);
    expect(String(response.getHeader("set-cookie"))).toContain("Max-Age=0");
    expect(sessions.of(exchange(one.cookie).request)).toBeUndefined();
    expect(sessions.of(exchange(two.cookie).request)).toBeDefined();
    now += SESSION_LIFETIME_MS;
    expect(sessions.of(exchange(two.cookie).request)).toBeUndefined();
  });

  it("two gateways on one machine do not share a cookie's name", () => {
    const other = new Sessions({ dataDir: `${dir}-other`, realm: () => "a" });
    const { cookie } = signIn(make(() => "a"));
    expect(other.of(exchange(cookie).request)).toBeUndefined();
    rmSync(`${dir}-other`, { recursive: true, force: true });
  });
});

describe("one-time codes", () => {
  it("leave no secret on disk, work once, and old ones are swept", () => {
    const code = issueCode(dir);
    const folder = path.join(dir, "dashboard-codes");
    const [name = ""] = readdirSync(folder);
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect([takeCode(dir, code), takeCode(dir, code)]).toEqual([true, false]);
    for (let i = 0; i < 30; i += 1) issueCode(dir);
    expect(readdirSync(folder).length).toBeLessThanOrEqual(20);
    issueCode(dir, Date.now() + CODE_LIFETIME_MS + 1_000);
    expect(readdirSync(folder)).toHaveLength(1);
  });
});

describe("the gateway's secret", () => {
  it("is what the host's auth mode says, and nothing short or unresolved", () => {
    const of = (auth: unknown, env = {}) => gatewaySecrets({ gateway: { auth } }, env);
    const long = "a-long-token";
    expect(of({ mode: "token", token: long })).toEqual([long]);
    expect(of({ token: long }, { OPENCLAW_GATEWAY_TOKEN: "from-the-environment" })).toEqual([
      long,
      "from-the-environment",
    ]);
    expect(of({ mode: "password", token: long, password: "a-password" })).toEqual(["a-password"]);
    expect(of({ mode: "none", token: long })).toEqual([]);
    expect(of({ mode: "token", token: "short" })).toEqual([]);
    expect(of({ mode: "token", token: ["$", "{OPENCLAW_GATEWAY_TOKEN}"].join("") })).toEqual([]);
    expect(of({ mode: "token", token: { source: "env", id: "X" } })).toEqual([]);
    expect(gatewaySecrets(undefined, {})).toEqual([]);
    expect(isGatewaySecret(long, [long])).toBe(true);
    expect(isGatewaySecret("", [])).toBe(false);
    expect(realmOf([long])).not.toBe(realmOf(["another-token"]));
  });
});
