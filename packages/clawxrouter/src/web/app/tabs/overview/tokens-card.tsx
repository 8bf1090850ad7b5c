import type { Answer } from "../../../contract.ts";
import { type Bucket, fill, largest, type Series } from "../../charts/series.ts";
import { TimeChart } from "../../charts/time-chart.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/notes.tsx";
import { bucketTime, count } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";

const OWN_COLOURS = 6;
const REST = "\u0000rest";

/** Tokens by model and hour. */
export function TokensCard({ hourly }: { hourly: Answer<"hourly"> | undefined }) {
  const text = say(overviewWords);
  return (
    <Card title={text.tokens} help={text.tokensHelp} width="w6">
      {hourly === undefined ? (
        <Skeleton />
      ) : (
        <TimeChart
          label={text.tokens}
          {...tokenSeries(hourly, text.others)}
          formatTime={(at) => bucketTime(at, hourly.step)}
          formatValue={count}
          none={text.quiet}
        />
      )}
    </Card>
  );
}

function tokenSeries(
  hourly: Answer<"hourly">,
  others: (n: number) => string,
): { series: Series[]; buckets: Bucket[] } {
  const totals = new Map<string, number>();
  const byTime = new Map<number, Record<string, number>>();
  for (const row of hourly.models) {
    const name = `${row.provider}/${row.model}`;
    totals.set(name, (totals.get(name) ?? 0) + row.input + row.output);
  }
  const { own, rest } = largest(totals, OWN_COLOURS - 1);
  for (const row of hourly.models) {
    const name = `${row.provider}/${row.model}`;
    const key = rest.includes(name) ? REST : name;
    const values = byTime.get(row.at) ?? {};
    values[key] = (values[key] ?? 0) + row.input + row.output;
    byTime.set(row.at, values);
  }
  const series = own.map((name, at) => ({ key: name, name, tone: `c${at}` }));
  if (rest.length > 0) series.push({ key: REST, name: others(rest.length), tone: "c6" });
  const known = [...byTime].map(([at, values]) => ({ at, values }));
  return { series, buckets: fill(hourly.starts, known) };
}
