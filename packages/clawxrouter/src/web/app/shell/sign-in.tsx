import { useState } from "preact/hooks";
import type { SessionInfo } from "../../contract.ts";
import { Button } from "../components/button.tsx";
import { Command } from "../components/command.tsx";
import { TextInput } from "../components/inputs.tsx";
import { FaultNote, Note } from "../components/notes.tsx";
import { signInWords } from "../i18n/sign-in.ts";
import { say } from "../i18n/words.ts";
import { signIn } from "../state/session.ts";
import { Logo } from "./logo.tsx";
import { Switches } from "./switches.tsx";

/** What a visit without a session sees: no data, two ways in. */
export function SignIn({ info, linkFailed }: { info: SessionInfo; linkFailed: boolean }) {
  const text = say(signInWords);
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    await signIn({ token: token.trim() }).catch(setFault);
    setBusy(false);
  };
  return (
    <main class="gate" id="content">
      <div class="card gate-card">
        <div class="row gate-brand">
          <Logo size={34} />
          <h1>{text.title}</h1>
        </div>
        <p class="muted">{text.help}</p>
        <section class="stack" aria-labelledby="by-link">
          <h2 id="by-link">{text.byLink}</h2>
          {linkFailed && <Note tone="warn">{text.linkUsed}</Note>}
          {!linkFailed && <p class="small muted">{text.linkHelp}</p>}
          <Command text="openclaw clawxrouter dashboard" />
        </section>
        {info.signIn.token && (
          <form class="stack" onSubmit={submit}>
            <h2>{text.byToken}</h2>
            <TextInput
              label={text.token}
              help={text.tokenHelp}
              type="password"
              autocomplete="current-password"
              value={token}
              onChange={setToken}
            />
            {fault !== undefined && <FaultNote fault={fault} />}
            <div class="row">
              <Button type="submit" kind="primary" busy={busy} disabled={token.trim() === ""}>
                {busy ? text.signingIn : text.signIn}
              </Button>
            </div>
          </form>
        )}
      </div>
      <Switches />
    </main>
  );
}
