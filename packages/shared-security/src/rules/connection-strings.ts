import { isPlaceholder } from "../validators/placeholder.ts";
import type { Rule } from "./rule.ts";

export const CONNECTION_STRING_RULES: readonly Rule[] = [
  {
    id: "connection-strings/url-password",
    type: "CONNECTION_PASSWORD",
    level: "S2",
    confidence: 0.95,
    keywords: ["://"],
    // The password may hold "@" unescaped: up to the last "@" before the host ends.
    pattern: /:\/\/[^\s:/?#"'`<>@]{0,80}:(?<v>[^\s/?#"'`<>]{2,200})@(?=[\w[%.-])/,
    validate: (value) =>
      !isPlaceholder(value) && !/^(?:password|passwd|pass|pwd|pw|secret|token|key)$/i.test(value),
    examples: {
      ok: [
        "postgresql://svc:p4ssW0rd!@db.internal:5432/app",
        "mongodb+srv://u:Zx81kkQ@cluster0.abcde.mongodb.net",
        "redis://:aB3dE6gH@10.0.0.8/0",
      ],
      ng: [
        "postgres://user:password@localhost/db",
        "https://example.com:8080/a@b",
        `https://\${USER}:\${PASS}@host/`,
        "amqp://user:*****@example.com",
      ],
    },
    source: "RFC 3986 section 3.2.1 (userinfo)",
  },
];
