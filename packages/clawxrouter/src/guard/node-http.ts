/** Holds back what a request of `node:http` or `node:https` sends until all of it is there and was judged. */
import { bytesOf, plainText } from "./body.ts";
import type { Judgement } from "./judgement.ts";

/** The parts of a `ClientRequest` that are used. */
export interface HttpRequestLike {
  protocol: string;
  host: string;
  path: string;
  getHeader(name: string): number | string | string[] | undefined;
  write(chunk: unknown, ...rest: unknown[]): boolean;
  end(...given: unknown[]): unknown;
  destroy(error?: Error): unknown;
}

/**
 * @param judge what a request is judged by; undefined for one that is nobody's concern
 * @param refused tells of a refusal and makes the error that the request fails with
 */
export function holdHttpRequest(
  request: HttpRequestLike,
  judge: (origin: string, path: string) => Judgement | undefined,
  refused: (origin: string, reason: string) => Error,
): void {
  const judgement = judge(originOf(request), String(request.path));
  if (judgement === undefined) return;
  const chunks: Uint8Array[] = [];
  const callbacks: Array<(error?: Error) => void> = [];
  const take = (given: readonly unknown[]): void => {
    const [chunk, encoding] = given;
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") {
      const isText = typeof chunk === "string" && typeof encoding === "string" && Buffer.isEncoding(encoding);
      const bytes = isText ? Buffer.from(chunk, encoding) : bytesOf(chunk);
      if (bytes !== undefined) chunks.push(bytes);
    }
    for (const item of given) {
      if (typeof item === "function") callbacks.push(item as (error?: Error) => void);
    }
  };
  const end = request.end;
  request.write = (chunk, ...rest) => {
    take([chunk, ...rest]);
    return true;
  };
  request.end = (...given) => {
    take(given);
    const whole = Buffer.concat(chunks);
    chunks.length = 0;
    const encoding = String(request.getHeader("content-encoding") ?? "").toLowerCase();
    const reason =
      judgement.path() ?? (whole.length === 0 ? undefined : judgement.body(plainText(whole, encoding)));
    request.end = end;
    if (reason !== undefined) {
      request.destroy(refused(judgement.origin, reason));
      return request;
    }
    const done = (): void => {
      for (const callback of callbacks) callback();
    };
    return whole.length === 0 ? end.call(request, done) : end.call(request, whole, done);
  };
}

function originOf(request: HttpRequestLike): string {
  const named = request.getHeader("host");
  const host = typeof named === "string" && named !== "" ? named : request.host;
  return `${request.protocol}//${host}`;
}
