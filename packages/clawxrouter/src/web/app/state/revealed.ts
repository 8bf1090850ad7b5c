import { useEffect, useState } from "preact/hooks";
import type { Body } from "../../contract.ts";
import { post } from "../api/client.ts";
import { session } from "./session.ts";

/** An original does not stay on an unattended screen. */
const SHOWN_MS = 60_000;

export interface Revealed {
  /** The original while it is shown. */
  original: string | undefined;
  busy: boolean;
  fault: unknown;
  /** Shows it, or hides it again. */
  toggle: () => void;
  /** Originals are shown on the gateway's own machine only. */
  allowed: boolean;
}

/** The original of something hidden, on request: every time it is asked for, the gateway writes that down. */
export function useRevealed(what: Body<"reveal">): Revealed {
  const [original, setOriginal] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  useEffect(() => {
    if (original === undefined) return;
    const timer = setTimeout(() => setOriginal(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [original]);
  const toggle = async () => {
    if (original !== undefined) return setOriginal(undefined);
    setBusy(true);
    setFault(undefined);
    await post("reveal", what).then((answer) => setOriginal(answer.text), setFault);
    setBusy(false);
  };
  return { original, busy, fault, toggle: () => void toggle(), allowed: session.value?.local === true };
}
