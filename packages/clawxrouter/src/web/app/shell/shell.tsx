/** The frame of a signed-in page. Focus moves to the content when the tab changes, as on a real page change. */
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { commonWords } from "../i18n/common.ts";
import { faultText } from "../i18n/faults.ts";
import { say } from "../i18n/words.ts";
import { startLive } from "../state/live.ts";
import { place } from "../state/location.ts";
import { signOut } from "../state/session.ts";
import { followConfig, loadConfig } from "../state/settings.ts";
import { toast } from "../state/toasts.ts";
import { Config } from "../tabs/config/config.tsx";
import { Cost } from "../tabs/cost/cost.tsx";
import { Detections } from "../tabs/detections/detections.tsx";
import { Overview } from "../tabs/overview/overview.tsx";
import { Rules } from "../tabs/rules/rules.tsx";
import { Sessions } from "../tabs/sessions/sessions.tsx";
import { LiveMark } from "./live-mark.tsx";
import { Logo } from "./logo.tsx";
import { Nav } from "./nav.tsx";
import { Switches } from "./switches.tsx";

const VIEWS = {
  overview: Overview,
  sessions: Sessions,
  detections: Detections,
  rules: Rules,
  cost: Cost,
  config: Config,
};

export function Shell() {
  const text = say(commonWords);
  const { tab } = place.value;
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  useEffect(() => {
    void loadConfig();
    const live = startLive();
    const stop = followConfig();
    return () => {
      stop();
      live.close();
    };
  }, []);
  useEffect(() => {
    document.title = `${text.tabs[tab]} · ClawXRouter`;
  }, [tab, text]);
  useEffect(() => {
    if (!first.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    first.current = false;
  }, [tab]);
  const View = VIEWS[tab];
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        {text.skip}
      </button>
      <header class="rail">
        <div class="brand">
          <Logo />
          <span>ClawXRouter</span>
        </div>
        <Nav />
        <div class="rail-foot">
          <LiveMark />
          <Switches />
          <Button
            small
            kind="quiet"
            icon="out"
            label={text.signOut}
            onClick={() => void signOut().catch((fault: unknown) => toast(faultText(fault), "bad"))}
          >
            <span class="sign-out-text">{text.signOut}</span>
          </Button>
        </div>
      </header>
      <main class="main" id="content" ref={main} tabIndex={-1}>
        <View />
      </main>
    </div>
  );
}
