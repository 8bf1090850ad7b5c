import { useEffect } from "preact/hooks";
import { get } from "../../api/client.ts";
import { FaultNote, Skeleton } from "../../components/notes.tsx";
import { Segments } from "../../components/segments.tsx";
import { commonWords } from "../../i18n/common.ts";
import { ownZone } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";
import { onLive } from "../../state/live.ts";
import { go, place } from "../../state/location.ts";
import { useResource } from "../../state/resource.ts";
import { throttle } from "../../state/throttle.ts";
import { PageHead } from "../page-head.tsx";
import { Activity } from "./activity.tsx";
import { BudgetCard } from "./budget-card.tsx";
import { Figures } from "./figures.tsx";
import { LatencyCard } from "./latency-card.tsx";
import { ModelsCard } from "./models-card.tsx";
import { PostureCard } from "./posture-card.tsx";
import { Shares, ToolShares } from "./shares.tsx";
import { TokensCard } from "./tokens-card.tsx";

const RANGES = ["1", "7", "30"] as const;
type Range = (typeof RANGES)[number];
/** The counters follow events at this pace at most. */
const FOLLOW_MS = 1_500;

export function Overview() {
  const text = say(overviewWords);
  const range: Range = RANGES.find((candidate) => candidate === place.value.params.days) ?? "1";
  const days = Number(range);
  const summary = useResource((signal) => get("summary", { days }, signal), range);
  const hourly = useResource(
    (signal) => get("hourly", { days, step: days > 1 ? "day" : "hour", zone: ownZone() }, signal),
    range,
  );
  const posture = useResource((signal) => get("posture", {}, signal), "");
  useEffect(() => {
    const refresh = throttle(() => {
      summary.reload();
      hourly.reload();
    }, FOLLOW_MS);
    const stop = [
      onLive("detection", refresh.run),
      onLive("request", refresh.run),
      onLive("reset", refresh.run),
      onLive("posture", posture.reload),
      onLive("config", posture.reload),
    ];
    return () => {
      refresh.cancel();
      for (const end of stop) end();
    };
  }, []);
  const data = summary.data;
  return (
    <>
      <PageHead title={say(commonWords).tabs.overview}>
        <Segments
          label={text.range}
          value={range}
          options={RANGES.map((value) => ({ value, text: text.ranges[value] }))}
          onChange={(value) => go("overview", { days: value }, true)}
        />
      </PageHead>
      <div class="grid">
        <PostureCard posture={posture} />
        {data === undefined ? (
          summary.fault === undefined ? (
            <Skeleton lines={8} />
          ) : (
            <FaultNote fault={summary.fault} onRetry={summary.reload} />
          )
        ) : (
          <>
            <Figures summary={data} />
            <Shares summary={data} />
            <Activity hourly={hourly.data} />
            <TokensCard hourly={hourly.data} />
            <ModelsCard models={data.models} />
            <ToolShares summary={data} />
            <LatencyCard latency={data.latency} />
            <BudgetCard budget={data.budget} />
          </>
        )}
      </div>
    </>
  );
}
