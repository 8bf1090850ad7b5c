/** Who is looking: signed in or not, and how to sign in. */
import { signal } from "@preact/signals";
import type { SessionInfo, SignInBody } from "../../contract.ts";
import { CODE_FRAGMENT } from "../../routes.ts";
import { get, post, useCsrf, whenSignedOut } from "../api/client.ts";
import { suggestLanguage } from "../i18n/language.ts";

/** Undefined: not known yet. */
export const session = signal<SessionInfo | undefined>(undefined);

function take(info: SessionInfo): void {
  useCsrf(info.csrf);
  suggestLanguage(info.language);
  session.value = info;
}

export async function loadSession(): Promise<void> {
  take(await get("session", {}));
}

/** @throws ApiFault */
export async function signIn(credential: SignInBody): Promise<void> {
  take(await post("signIn", credential));
}

export async function signOut(): Promise<void> {
  take(await post("signOut", {}));
}

whenSignedOut(() => {
  useCsrf(null);
  const known = session.value;
  if (known?.signedIn) session.value = { ...known, signedIn: false, csrf: null, expiresAt: null };
});

/** The code of a one-time link, taken out of the address at once so that it stays in no history. */
export function takeLinkCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get(CODE_FRAGMENT);
  if (code === null || code === "") return undefined;
  history.replaceState(null, "", location.pathname + location.search);
  return code;
}
