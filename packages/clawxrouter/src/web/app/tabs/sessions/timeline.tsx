import { useEffect, useState } from "preact/hooks";
import type { TimelineItem } from "../../../contract.ts";
import { get } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, FaultNote, Skeleton } from "../../components/notes.tsx";
import { RevealButton } from "../../components/reveal-button.tsx";
import { hasSealed, SessionName } from "../../components/session-name.tsx";
import { commonWords } from "../../i18n/common.ts";
import { sessionWords } from "../../i18n/sessions.ts";
import { say } from "../../i18n/words.ts";
import { openStream } from "../../state/live.ts";
import { hashOf } from "../../state/location.ts";
import { usePaged } from "../../state/paged.ts";
import { useRevealed } from "../../state/revealed.ts";
import { TurnCard } from "./turn-card.tsx";
import { sameEvent, turnsOf } from "./turns.ts";

/** Where the gateway goes on after these: the oldest of each kind; of a kind that is not among them, the newest. */
function cursorAfter(items: readonly TimelineItem[]): string {
  const oldest = (kind: TimelineItem["kind"]) =>
    items.reduce((id, item) => (item.kind === kind ? Math.min(id, item.id) : id), Number.MAX_SAFE_INTEGER);
  return `${oldest("detection")}-${oldest("request")}`;
}

/** The turns of one session, followed live. */
export function Timeline({ session }: { session: string }) {
  const text = say(sessionWords);
  const list = usePaged<TimelineItem>(
    (cursor, signal) => get("sessionDetections", { key: session, limit: 100, cursor }, signal),
    session,
    cursorAfter,
  );
  const [fresh, setFresh] = useState(0);
  const revealed = useRevealed({ session });
  useEffect(() => {
    const take = (item: TimelineItem) => {
      list.take(item, (other) => sameEvent(other, item));
      setFresh((n) => n + 1);
    };
    const stream = openStream(
      "sessionStream",
      { key: session },
      { detection: take, request: take, reset: list.reload },
    );
    return () => stream.close();
  }, [session]);
  const { items } = list;
  return (
    <section class="split-main" aria-label={text.timeline}>
      <div class="card timeline-head">
        <a class="back" href={hashOf("sessions")}>
          <Icon name="left" size={16} />
          {text.back}
        </a>
        <h2 class="wrap-any">
          {revealed.original === undefined ? <SessionName name={session} /> : <bdi>{revealed.original}</bdi>}
          {hasSealed(session) && revealed.allowed && <RevealButton revealed={revealed} />}
        </h2>
        {revealed.fault !== undefined && <FaultNote fault={revealed.fault} />}
        <span class="visually-hidden" aria-live="polite">
          {fresh > 0 ? text.newEvents(fresh) : ""}
        </span>
      </div>
      {list.fault !== undefined && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {items === undefined && list.fault === undefined && (
        <div class="card">
          <Skeleton lines={8} />
        </div>
      )}
      {items?.length === 0 && (
        <div class="card">
          <Empty title={text.noEvents}>
            <p>{text.noEventsHelp}</p>
          </Empty>
        </div>
      )}
      {items !== undefined &&
        turnsOf(items).map((turn) => (
          <TurnCard key={`${turn.loopId}-${turn.items[0]?.kind}-${turn.items[0]?.id}`} turn={turn} />
        ))}
      {list.more && (
        <div class="row more">
          <Button busy={list.loading} onClick={list.loadMore}>
            {say(commonWords).loadMore}
          </Button>
        </div>
      )}
    </section>
  );
}
