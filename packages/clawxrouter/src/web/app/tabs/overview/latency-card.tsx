import type { Answer } from "../../../contract.ts";
import { Card } from "../../components/card.tsx";
import { TableScroll } from "../../components/table-scroll.tsx";
import { count, duration } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";

const KINDS = ["privacy", "judge", "proxy", "firstToken"] as const;

export function LatencyCard({ latency }: { latency: Answer<"summary">["latency"] }) {
  const text = say(overviewWords);
  return (
    <Card title={text.latency} help={text.latencyHelp} width="w7">
      <TableScroll label={text.latency}>
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col" class="number">
                {text.median}
              </th>
              <th scope="col" class="number">
                {text.p95}
              </th>
              <th scope="col" class="number">
                {text.slowest}
              </th>
              <th scope="col" class="number">
                {text.measured}
              </th>
            </tr>
          </thead>
          <tbody>
            {KINDS.map((kind) => {
              const measured = latency[kind];
              return (
                <tr key={kind}>
                  <th scope="row">{text.latencies[kind]}</th>
                  {measured === null ? (
                    <td class="number muted" colSpan={4}>
                      {text.notMeasured}
                    </td>
                  ) : (
                    <>
                      <td class="number">{duration(measured.p50Ms)}</td>
                      <td class="number">{duration(measured.p95Ms)}</td>
                      <td class="number">{duration(measured.maxMs)}</td>
                      <td class="number muted">{count(measured.n)}</td>
                    </>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  );
}
