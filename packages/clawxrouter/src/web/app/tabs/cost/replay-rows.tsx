import type { ReplayAnswer } from "../../../contract.ts";
import { TableScroll } from "../../components/table-scroll.tsx";
import { commonWords } from "../../i18n/common.ts";
import { costWords } from "../../i18n/cost.ts";
import { usd } from "../../i18n/format.ts";
import { say } from "../../i18n/words.ts";
import { hashOf } from "../../state/location.ts";

type Row = ReplayAnswer["rows"][number];

export function ReplayRows({ rows }: { rows: readonly Row[] }) {
  const text = say(costWords);
  return (
    <TableScroll label={text.showRows}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.text}</th>
            <th scope="col">{text.was}</th>
            <th scope="col">{text.wouldBe}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.detection}>
              <th scope="row" class="replay-text">
                <a href={hashOf("detections", { id: String(row.detection) })}>{row.text}</a>
              </th>
              <td>
                <Side side={row.was} />
              </td>
              <td>
                {sameSide(row) ? <span class="muted">{text.unchanged}</span> : <Side side={row.would} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function sameSide({ was, would }: Row): boolean {
  return was.provider === would.provider && was.model === would.model && was.tier === would.tier;
}

function Side({ side }: { side: Row["was"] }) {
  const common = say(commonWords);
  return (
    <>
      <div class="wrap-any">{side.model ?? common.unknown}</div>
      <div class="small muted">
        {side.tier !== null && `${common.tiers[side.tier]} · `}
        {side.usd === null ? common.unknown : usd(side.usd)}
      </div>
    </>
  );
}
