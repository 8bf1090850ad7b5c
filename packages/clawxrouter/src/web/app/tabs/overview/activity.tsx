import type { Answer } from "../../../contract.ts";
import { LEVELS } from "../../api/names.ts";
import { fill } from "../../charts/series.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { bucketTime, count } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";

/** User messages over time, by level. */
export function Activity({ hourly }: { hourly: Answer<"hourly"> | undefined }) {
  const text = say(overviewWords);
  const common = say(commonWords);
  return (
    <Card title={text.activity} width="w6">
      {hourly === undefined ? (
        <Skeleton />
      ) : (
        <TimeChart
          label={text.activity}
          series={LEVELS.map((level) => ({
            key: level,
            name: `${level} ${common.levels[level]}`,
            tone: level,
          }))}
          buckets={fill(
            hourly.starts,
            hourly.turns.map(({ at, byLevel }) => ({ at, values: byLevel })),
          )}
          formatTime={(at) => bucketTime(at, hourly.step)}
          formatValue={count}
          none={text.quiet}
        />
      )}
    </Card>
  );
}
