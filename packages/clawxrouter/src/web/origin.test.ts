import { expect, it } from "vitest";
import { gatewayOrigin } from "./origin.ts";

it("the link speaks TLS when the gateway does", () => {
  expect(gatewayOrigin({ gateway: { tls: { enabled: true } } }, 18_789)).toBe("https://127.0.0.1:18789");
  for (const host of [{}, undefined, null, "x", { gateway: null }, { gateway: { tls: { enabled: false } } }])
    expect(gatewayOrigin(host, 1)).toBe("http://127.0.0.1:1");
});
