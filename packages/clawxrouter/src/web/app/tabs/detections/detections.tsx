import { useEffect, useRef } from "preact/hooks";
import type { Detection } from "../../../contract.ts";
import { get } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FaultNote, Skeleton } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { detectionWords } from "../../i18n/detections.ts";
import { count } from "../../i18n/format.ts";
import { say } from "../../i18n/words.ts";
import { onLive } from "../../state/live.ts";
import { go, place } from "../../state/location.ts";
import { usePaged } from "../../state/paged.ts";
import { useResource } from "../../state/resource.ts";
import { throttle } from "../../state/throttle.ts";
import { PageHead } from "../page-head.tsx";
import { filterOf, fits, isFiltered } from "./filter.ts";
import { Filters } from "./filters.tsx";
import { LogRow } from "./log-row.tsx";

const PAGE = 50;
/** The counts beside the filters follow events at this pace at most. */
const FOLLOW_MS = 2_000;

export function Detections() {
  const text = say(detectionWords);
  const common = say(commonWords);
  const { id, ...params } = place.value.params;
  const filter = filterOf(params);
  const latest = useRef(filter);
  latest.current = filter;
  const facets = useResource((signal) => get("facets", {}, signal), "");
  const list = usePaged<Detection>(
    async (cursor, signal) => {
      if (id === undefined) return get("detections", { ...filter, limit: PAGE, cursor }, signal);
      return { items: [await get("detection", { id: Number(id) }, signal)], next: null };
    },
    id ?? JSON.stringify(filter),
    (kept) => String(kept.at(-1)?.id ?? 0),
  );
  useEffect(() => {
    if (id !== undefined) return;
    const recount = throttle(facets.reload, FOLLOW_MS);
    const stop = [
      onLive("detection", (detection) => {
        if (fits(detection, latest.current)) list.take(detection, (other) => other.id === detection.id);
        recount.run();
      }),
      onLive("reset", list.reload),
      onLive("reset", recount.run),
    ];
    return () => {
      recount.cancel();
      for (const end of stop) end();
    };
  }, [id]);
  const { items } = list;
  const filtered = id !== undefined || isFiltered(filter);
  return (
    <>
      <PageHead title={common.tabs.detections} help={text.help}>
        {facets.data !== undefined && <span class="muted small">{text.total(count(facets.data.total))}</span>}
      </PageHead>
      <section class="card" aria-label={text.log}>
        <Filters filter={filter} single={id !== undefined} facets={facets.data} />
        {list.fault !== undefined && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {items === undefined && list.fault === undefined && <Skeleton lines={8} />}
        {items?.length === 0 && (
          <Empty title={filtered ? text.noMatch : text.none}>
            <p>{filtered ? text.noMatchHelp : text.noneHelp}</p>
            {filtered && <Button onClick={() => go("detections")}>{text.clear}</Button>}
          </Empty>
        )}
        {items !== undefined && items.length > 0 && (
          <ol class="log" aria-busy={list.loading}>
            {items.map((detection) => (
              <LogRow
                key={detection.id}
                detection={detection}
                open={id !== undefined}
                onCorrected={(changed) => list.take(changed, (other) => other.id === changed.id)}
              />
            ))}
          </ol>
        )}
        {list.more && (
          <div class="row more">
            <Button busy={list.loading} onClick={list.loadMore}>
              {common.loadMore}
            </Button>
          </div>
        )}
      </section>
    </>
  );
}
