import { Empty } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { sessionWords } from "../../i18n/sessions.ts";
import { say } from "../../i18n/words.ts";
import { place } from "../../state/location.ts";
import { PageHead } from "../page-head.tsx";
import { SessionList } from "./session-list.tsx";
import { Timeline } from "./timeline.tsx";

/** Sessions beside the turns of the chosen one; on a phone one of the two. */
export function Sessions() {
  const text = say(sessionWords);
  const { key } = place.value.params;
  return (
    <>
      <PageHead title={say(commonWords).tabs.sessions} help={text.help} />
      <div class={`split ${key === undefined ? "" : "chosen"}`}>
        <SessionList chosen={key} />
        {key === undefined ? (
          <div class="card split-main split-none">
            <Empty title={text.choose} />
          </div>
        ) : (
          <Timeline key={key} session={key} />
        )}
      </div>
    </>
  );
}
