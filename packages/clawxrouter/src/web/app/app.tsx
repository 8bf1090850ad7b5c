/** The page: who is looking, then the frame with the tab of the address. */
import { useEffect, useState } from "preact/hooks";
import { FaultNote, Skeleton } from "./components/notes.tsx";
import { Toasts } from "./components/toasts.tsx";
import { language, locale } from "./i18n/language.ts";
import { signInWords } from "./i18n/sign-in.ts";
import { say } from "./i18n/words.ts";
import { Shell } from "./shell/shell.tsx";
import { SignIn } from "./shell/sign-in.tsx";
import { loadSession, session, signIn, takeLinkCode } from "./state/session.ts";

export function App() {
  const [fault, setFault] = useState<unknown>(undefined);
  const [link, setLink] = useState<"none" | "trying" | "failed">("none");
  const start = () => {
    setFault(undefined);
    const code = takeLinkCode();
    if (code === undefined) return void loadSession().catch(setFault);
    setLink("trying");
    signIn({ code }).then(
      () => setLink("none"),
      () => {
        setLink("failed");
        loadSession().catch(setFault);
      },
    );
  };
  useEffect(start, []);
  useEffect(() => {
    document.documentElement.lang = locale.value;
  }, [language.value]);

  const info = session.value;
  return (
    <>
      {info?.signedIn ? (
        <Shell />
      ) : info !== undefined ? (
        <SignIn info={info} linkFailed={link === "failed"} />
      ) : (
        <main class="gate">
          {fault === undefined ? (
            <Opening trying={link === "trying"} />
          ) : (
            <FaultNote fault={fault} onRetry={start} />
          )}
        </main>
      )}
      <Toasts />
    </>
  );
}

function Opening({ trying }: { trying: boolean }) {
  return (
    <div class="card gate-card">
      {trying && <p role="status">{say(signInWords).using}</p>}
      <Skeleton lines={3} />
    </div>
  );
}
