/** The API described by its own contract, in the form of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0). */
import type { TSchema } from "@sinclair/typebox";
import type { Handlers } from "../context.ts";
import { ErrorBody, SHAPES, StreamEvents } from "../contract.ts";
import { API_PATH, CSRF_HEADER, ROUTES, type RouteName } from "../routes.ts";

export const schemaHandlers: Handlers<"schema"> = {
  schema: ({ dashboard }) => openApi(dashboard.version),
};

export function openApi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, (typeof ROUTES)[RouteName]][]) {
    const shape = SHAPES[name];
    const kind = "kind" in route ? route.kind : "json";
    const answer =
      kind === "stream"
        ? { "text/event-stream": { schema: { type: "string" } } }
        : { "application/json": { schema: plain(shape.answer) } };
    const path = paths[`/${route.path}`] ?? {};
    paths[`/${route.path}`] = path;
    path[route.method.toLowerCase()] = {
      operationId: name,
      ...(route.method === "GET"
        ? { parameters: parameters(shape.query) }
        : {
            requestBody: {
              required: true,
              content: { "application/json": { schema: plain(shape.body) } },
            },
          }),
      responses: {
        "200": { description: "OK", content: answer },
        default: {
          description: "Error",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
      security: name === "session" || name === "signIn" ? [] : [{ session: [] }],
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "ClawXRouter dashboard", version: version || "0" },
    servers: [{ url: API_PATH.replace(/\/$/, "") }],
    paths,
    components: {
      schemas: {
        Error: plain(ErrorBody),
        ...Object.fromEntries(
          Object.entries(StreamEvents).map(([name, schema]) => [`Event_${name}`, plain(schema)]),
        ),
      },
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "clawxrouter_<install>",
          description: `HttpOnly cookie of sign-in; POST also needs ${CSRF_HEADER} from GET session`,
        },
      },
    },
  };
}

function parameters(query: TSchema): unknown[] {
  const { properties = {}, required = [] } = plain(query) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/** TypeBox marks its schemas with symbols, which JSON leaves out. */
function plain(schema: TSchema): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
}
