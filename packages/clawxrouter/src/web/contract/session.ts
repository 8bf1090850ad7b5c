/** Who is looking. */
import { type Static, Type } from "@sinclair/typebox";
import { closed, oneOf, orNull, Time } from "./common.ts";

/** Answered with and without a session; holds no data of the user. */
export const SessionInfo = Type.Object(
  {
    signedIn: Type.Boolean(),
    csrf: orNull(Type.String({ description: "For the x-clawxrouter-csrf header; null when not signed in" })),
    expiresAt: orNull(Time),
    /** Ways to sign in that work on this gateway. */
    signIn: Type.Object(
      {
        /** The gateway's token (or password) is known to the plugin and can be checked. */
        token: Type.Boolean(),
        /** `openclaw clawxrouter dashboard`; always works for who may run it. */
        link: Type.Boolean(),
      },
      closed,
    ),
    /** `dashboard.language` of the settings, else from Accept-Language. The page may keep a choice of its own. */
    language: oneOf(["en", "zh"] as const),
    /** True on loopback: `reveal` works only then. */
    local: Type.Boolean(),
    version: Type.String({ description: "Version of the plugin" }),
  },
  closed,
);
export type SessionInfo = Static<typeof SessionInfo>;

/** One of both. No CSRF header, but Origin and content type are checked. */
export const SignInBody = Type.Union([
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 4_096 }) }, closed),
  Type.Object({ code: Type.String({ minLength: 1, maxLength: 200 }) }, closed),
]);
export type SignInBody = Static<typeof SignInBody>;

/** Something that somebody did through the dashboard. */
export const AuditItem = Type.Object(
  {
    id: Type.Integer(),
    at: Time,
    action: oneOf([
      "sign-in",
      "sign-in-failed",
      "sign-out",
      "reveal",
      "config",
      "undo",
      "prompt",
      "feedback",
      "self-test",
      "setup",
      "reset",
    ] as const),
    /** Address of the browser. */
    from: Type.String(),
    detail: Type.String(),
  },
  closed,
);
export type AuditItem = Static<typeof AuditItem>;
