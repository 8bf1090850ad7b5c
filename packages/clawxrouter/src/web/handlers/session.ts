/** Signing in and out, and the record of what was done. */

import { Value } from "@sinclair/typebox/value";
import { isGatewaySecret } from "../auth/gateway-secret.ts";
import { takeCode } from "../auth/one-time.ts";
import { RateLimit } from "../auth/rate-limit.ts";
import type { Session } from "../auth/sessions.ts";
import type { Call, Dashboard, Handlers } from "../context.ts";
import { AuditItem, type SessionInfo } from "../contract.ts";
import { ApiError } from "../http/errors.ts";
import { idCursor } from "../paging.ts";
import { sessionKeysOf } from "../session-keys.ts";

interface Limits {
  token: RateLimit;
  /** Codes cannot be guessed and are never made to wait; only the record of wrong ones is limited. */
  record: RateLimit;
}
const limits = new WeakMap<Dashboard, Limits>();

export const sessionHandlers: Handlers<"session" | "signIn" | "signOut" | "audit"> = {
  session: (call) => info(call, call.session),

  signIn(call) {
    const { dashboard, body, request, response } = call;
    const { token: limit, record } = limits.get(dashboard) ?? {
      token: new RateLimit(),
      record: new RateLimit(),
    };
    limits.set(dashboard, { token: limit, record });
    if ("code" in body) {
      if (!takeCode(dashboard.engine.dataDir, body.code)) {
        if (record.wait() === 0) {
          record.failed();
          call.audit("sign-in-failed", "one-time link");
        }
        throw new ApiError("bad-credential", "this link is used up or too old", {
          fix: "make another one: openclaw clawxrouter dashboard",
        });
      }
    } else {
      const wait = limit.wait();
      if (wait > 0)
        throw new ApiError("rate-limited", "too many wrong tokens", {
          retryAfterMs: wait,
          fix: "wait, or use a one-time link: openclaw clawxrouter dashboard",
        });
      if (!isGatewaySecret(body.token, dashboard.secrets())) {
        limit.failed();
        call.audit("sign-in-failed", "gateway token");
        throw new ApiError("bad-credential", "this is not the gateway's token", {
          fix: "use a one-time link: openclaw clawxrouter dashboard",
        });
      }
      limit.succeeded();
    }
    const secure = "encrypted" in request.socket && request.socket.encrypted === true;
    const session = dashboard.sessions.begin(response, secure);
    call.audit("sign-in", "code" in body ? "one-time link" : "gateway token");
    return info(call, session);
  },

  signOut(call) {
    const { dashboard, request, response, session } = call;
    dashboard.sessions.end(request, response);
    if (session !== undefined) dashboard.hub.endSession(session.id);
    call.audit("sign-out", "");
    return info(call, undefined);
  },

  audit({ dashboard, query }) {
    const limit = query.limit ?? 50;
    const rows = dashboard.engine.ledger().auditBefore(idCursor(query.cursor), limit + 1);
    const items = rows.slice(0, limit).flatMap(({ source, ...row }) => {
      // Earlier versions wrote keys of sessions in full.
      const detail =
        row.action === "reveal" ? sessionKeysOf(dashboard.engine).masked(row.detail) : row.detail;
      const item = { ...row, detail, from: source };
      return Value.Check(AuditItem, item) ? [item] : [];
    });
    return { items, next: rows.length > limit ? String(rows[limit - 1]?.id) : null };
  },
};

function info(
  { dashboard, request, local }: Pick<Call<"session">, "dashboard" | "request" | "local">,
  session: Session | undefined,
): SessionInfo {
  const { language } = dashboard.engine.config().dashboard;
  const asked = (request.headers["accept-language"] ?? "").split(",")[0]?.trim().toLowerCase() ?? "";
  return {
    signedIn: session !== undefined,
    csrf: session?.csrf ?? null,
    expiresAt: session?.expiresAt ?? null,
    signIn: { token: dashboard.secrets().length > 0, link: true },
    language: language !== "auto" ? language : asked.startsWith("zh") ? "zh" : "en",
    local,
    version: session === undefined ? "" : dashboard.version,
  };
}
