import { useState } from "preact/hooks";
import { Button } from "../components/button.tsx";
import { Empty } from "../components/notes.tsx";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { Legend } from "./legend.tsx";
import { type Bucket, type Series, total } from "./series.ts";
import { StackedBars } from "./stacked-bars.tsx";

interface Props {
  label: string;
  series: readonly Series[];
  buckets: readonly Bucket[];
  formatTime: (at: number) => string;
  formatValue: (value: number) => string;
  none: string;
}

/** A chart over time with its legend, and the same numbers as a table. */
export function TimeChart({ label, series, buckets, formatTime, formatValue, none }: Props) {
  const text = say(commonWords);
  const [table, setTable] = useState(false);
  const filled = buckets.filter((bucket) => total(bucket, series) > 0);
  if (filled.length === 0) return <Empty title={none} />;
  return (
    <div class="stack">
      <div class="row spread">
        <Legend series={series} />
        <Button small kind="quiet" onClick={() => setTable(!table)}>
          {table ? text.showChart : text.showTable}
        </Button>
      </div>
      {table ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
        <section class="table-scroll tall" tabIndex={0} aria-label={text.tableOf(label)}>
          <table>
            <thead>
              <tr>
                <th scope="col">{text.time}</th>
                {series.map((entry) => (
                  <th key={entry.key} scope="col" class="number">
                    {entry.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {[...filled].reverse().map((bucket) => (
                <tr key={bucket.at}>
                  <th scope="row">{formatTime(bucket.at)}</th>
                  {series.map((entry) => (
                    <td key={entry.key} class="number">
                      {formatValue(bucket.values[entry.key] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <StackedBars
          label={label}
          series={series}
          buckets={buckets}
          formatTime={formatTime}
          formatValue={formatValue}
        />
      )}
    </div>
  );
}
