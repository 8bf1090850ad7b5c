import { expect, it } from "vitest";
import { isGuarding } from "./guarding.ts";

it("a change is worth a second look when who sees private text hangs on it", () => {
  for (const pointer of [
    "",
    "/privacy",
    "/privacy/enabled",
    "/privacy/localModel",
    "/privacy/localModel/endpoint",
    "/privacy/localHosts/0",
    "/privacy/media/image",
    "/dashboard",
    "/dashboard/hosts",
  ])
    expect(isGuarding(pointer), pointer).toBe(true);
  for (const pointer of [
    "/tokenSaver",
    "/privacy/proxyPort",
    "/privacy/rules/keywords",
    "/privacy/enabledX",
    "/dashboard/language",
  ])
    expect(isGuarding(pointer), pointer).toBe(false);
});
