import { randomBytes } from "node:crypto";
import { get } from "node:http";
import { connect } from "node:net";
import { PROOF_PATH, proofOf } from "../egress/guards.ts";

/** Longest answer read, in characters. */
const PROOF_LENGTH = 64;

/**
 * Whether it is our own proxy that listens on a loopback port: it shows that it holds the install key. The key itself
 * is not sent, for anybody can listen there while the gateway is down.
 */
export function isOurProxy(port: number, installKey: string): Promise<boolean> {
  const challenge = randomBytes(32).toString("hex");
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(2_000);
    const request = get({ port, host: "127.0.0.1", path: PROOF_PATH + challenge, agent: false, signal });
    request.once("error", () => resolve(false));
    request.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > PROOF_LENGTH) request.destroy();
      });
      response.on("error", () => resolve(false));
      response.on("close", () => resolve(text === proofOf(installKey, challenge, port)));
    });
  });
}

/** Whether anything listens on a loopback port. */
export function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 500 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
