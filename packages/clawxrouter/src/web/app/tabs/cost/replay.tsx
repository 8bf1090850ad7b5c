import { useState } from "preact/hooks";
import type { ReplayAnswer } from "../../../contract.ts";
import { post } from "../../api/client.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { NumberInput } from "../../components/inputs.tsx";
import { Empty, FaultNote, Note } from "../../components/notes.tsx";
import { costWords } from "../../i18n/cost.ts";
import { count, percent, usd } from "../../i18n/format.ts";
import { say } from "../../i18n/words.ts";
import type { Settings } from "../../state/settings.ts";
import { ReplayRows } from "./replay-rows.tsx";

const MOST = 500;

/** "Would have cost …": the last messages graded again under other settings. */
export function Replay({ settings }: { settings: Settings["tokenSaver"] }) {
  const text = say(costWords);
  const [limit, setLimit] = useState<number | undefined>(100);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(undefined);
  const [result, setResult] = useState<ReplayAnswer | undefined>(undefined);
  const valid = limit !== undefined && Number.isInteger(limit) && limit >= 1 && limit <= MOST;
  const run = async (event: Event) => {
    event.preventDefault();
    if (!valid) return;
    setBusy(true);
    setFault(undefined);
    await post("replay", { limit, settings }).then(setResult, setFault);
    setBusy(false);
  };
  return (
    <Card title={text.replay} help={text.replayHelp}>
      <form class="row replay-form" onSubmit={run}>
        <NumberInput label={text.lastN} min={1} max={MOST} step={1} value={limit} onChange={setLimit} />
        <Button type="submit" busy={busy} disabled={!valid}>
          {busy ? text.running : text.run}
        </Button>
      </form>
      {fault !== undefined && <FaultNote fault={fault} />}
      <div aria-live="polite">{result !== undefined && <Outcome result={result} />}</div>
    </Card>
  );
}

function Outcome({ result }: { result: ReplayAnswer }) {
  const text = say(costWords);
  if (result.turns === 0) {
    return (
      <Empty title={text.noTurns}>
        <p>{text.noTurnsHelp}</p>
      </Empty>
    );
  }
  const difference = result.wouldUsd - result.spentUsd;
  const share =
    result.spentUsd === 0 ? "" : ` (${difference > 0 ? "+" : ""}${percent(difference / result.spentUsd)})`;
  return (
    <div class="stack wide outcome">
      <dl class="figures plain">
        <div class="figure">
          <dt>{text.spent}</dt>
          <dd>{usd(result.spentUsd)}</dd>
        </div>
        <div class="figure">
          <dt>{text.would}</dt>
          <dd>{usd(result.wouldUsd)}</dd>
        </div>
        <div class={`figure ${difference < 0 ? "good" : ""}`}>
          <dt>{text.difference}</dt>
          <dd>
            {difference > 0 ? "+" : ""}
            {usd(difference)}
            <span class="note">{share}</span>
          </dd>
        </div>
      </dl>
      <p>{text.changedOf(count(result.changed), count(result.turns))}</p>
      <p class="small muted">{text.comparable(count(result.comparable))}</p>
      {result.incomplete && <Note tone="warn">{text.incomplete}</Note>}
      <details>
        <summary>{text.showRows}</summary>
        <ReplayRows rows={result.rows} />
      </details>
    </div>
  );
}
