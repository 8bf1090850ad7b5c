/**
 * No request made for the egress proxy reaches anybody else. Its base URL stays in openclaw.json while the proxy is
 * down, or has another port; whoever listens there then (any program of this machine can) would be handed the
 * provider's key, the install key and the text as it was written.
 */
import diagnostics from "node:diagnostics_channel";
import { isEgressOrigin } from "@clawx/shared-security";
import { type FailableRequest, failRequest, quietly } from "./fail-request.ts";

export interface DoorDeps {
  /** Told of each refusal. */
  refused: (origin: string) => void;
}

interface RequestLike extends FailableRequest {
  origin?: unknown;
}

const CHANNEL = "undici:request:create";
/** As `proxyBaseUrl` writes it. */
export const PROXY_PATH = /^\/k\/[^/]+\/p\//;

/** Why a request failed; holds no key. */
export class StrangerError extends Error {
  constructor(origin: string) {
    super(
      `ClawXRouter refused a request to ${origin}: its proxy does not listen there. Start the gateway, which runs it. ` +
        "See: openclaw clawxrouter posture; after a change of the port: openclaw clawxrouter setup --yes",
    );
    this.name = "StrangerError";
  }
}

/** Starts it; the result ends it. */
export function startDoor(deps: DoorDeps): () => void {
  const onCreate = (message: unknown) => {
    const { request } = message as { request?: RequestLike };
    if (request === undefined || !PROXY_PATH.test(String(request.path ?? ""))) return;
    const origin = String(request.origin ?? "");
    const at = URL.canParse(origin) ? new URL(origin).origin : origin;
    if (isEgressOrigin(at)) return;
    failRequest(request, new StrangerError(at));
    quietly(() => deps.refused(at));
  };
  diagnostics.subscribe(CHANNEL, onCreate);
  return () => {
    diagnostics.unsubscribe(CHANNEL, onCreate);
  };
}
