import { useEffect, useState } from "preact/hooks";
import type { SessionItem } from "../../../contract.ts";
import { get } from "../../api/client.ts";
import { LevelBadge } from "../../components/badges.tsx";
import { Button } from "../../components/button.tsx";
import { TextInput } from "../../components/inputs.tsx";
import { Empty, FaultNote, Skeleton } from "../../components/notes.tsx";
import { SessionName } from "../../components/session-name.tsx";
import { Ago } from "../../components/time.tsx";
import { commonWords } from "../../i18n/common.ts";
import { usd } from "../../i18n/format.ts";
import { sessionWords } from "../../i18n/sessions.ts";
import { say } from "../../i18n/words.ts";
import { onLive } from "../../state/live.ts";
import { hashOf } from "../../state/location.ts";
import { usePaged } from "../../state/paged.ts";
import { throttle } from "../../state/throttle.ts";

const FOLLOW_MS = 2_000;

export function SessionList({ chosen }: { chosen: string | undefined }) {
  const text = say(sessionWords);
  const [search, setSearch] = useState("");
  const list = usePaged(
    (cursor, signal) =>
      get("sessions", { limit: 50, cursor, ...(search === "" ? {} : { text: search }) }, signal),
    search,
  );
  useEffect(() => {
    const refresh = throttle(() => list.refresh((item) => item.key), FOLLOW_MS);
    const stop = [
      onLive("detection", refresh.run),
      onLive("request", refresh.run),
      onLive("reset", list.reload),
    ];
    return () => {
      refresh.cancel();
      for (const end of stop) end();
    };
  }, []);
  const { items } = list;
  return (
    <section class="card split-side" aria-label={text.list}>
      <TextInput
        label={text.search}
        quiet
        type="search"
        placeholder={text.search}
        value={search}
        onChange={setSearch}
      />
      {list.fault !== undefined && <FaultNote fault={list.fault} onRetry={list.reload} />}
      {items === undefined && list.fault === undefined && <Skeleton lines={6} />}
      {items?.length === 0 && (
        <Empty title={search === "" ? text.none : text.noMatch}>
          {search === "" && <p>{text.noneHelp}</p>}
        </Empty>
      )}
      {items !== undefined && items.length > 0 && (
        <ul class="session-list">
          {items.map((item) => (
            <Item key={item.key} item={item} current={item.key === chosen} />
          ))}
        </ul>
      )}
      {list.more && (
        <Button small busy={list.loading} onClick={list.loadMore}>
          {say(commonWords).loadMore}
        </Button>
      )}
    </section>
  );
}

function Item({ item, current }: { item: SessionItem; current: boolean }) {
  const text = say(sessionWords);
  return (
    <li>
      <a href={hashOf("sessions", { key: item.key })} aria-current={current ? "true" : undefined}>
        <span class="row spread top">
          <span class="session-key">
            <SessionName name={item.key} />
          </span>
          <LevelBadge level={item.level} short />
        </span>
        <span class="small muted row">
          <Ago at={item.lastAt} />
          <span>{text.turns(item.turns)}</span>
          {item.usd > 0 && <span>{usd(item.usd)}</span>}
          {item.active && <span class="running">{text.running}</span>}
        </span>
      </a>
    </li>
  );
}
