import type { Answer } from "../../../contract.ts";
import { count, percent, usd } from "../../i18n/format.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";
import { hashOf } from "../../state/location.ts";

/** The numbers that are looked at first. */
export function Figures({ summary }: { summary: Answer<"summary"> }) {
  const text = say(overviewWords);
  const { turns, requests, cost, activeTurns } = summary;
  const saved = cost.savedUsd;
  return (
    <dl class="figures">
      <Figure
        name={text.turns}
        value={count(turns.total)}
        note={activeTurns > 0 ? text.activeTurns(activeTurns) : undefined}
      />
      <Figure
        name={text.requests}
        value={count(requests.total)}
        note={requests.failed > 0 ? text.failed(requests.failed) : undefined}
      />
      <Figure
        name={text.spent}
        value={usd(cost.spentUsd)}
        note={cost.unpriced > 0 ? text.unpriced(cost.unpriced) : text.allPriced}
      />
      <Figure
        name={text.ifDefault}
        value={cost.ifDefaultUsd === null ? "–" : usd(cost.ifDefaultUsd)}
        note={<DefaultNote cost={cost} />}
      />
      <Figure
        name={saved !== null && saved < 0 ? text.spentMore : text.saved}
        value={saved === null ? "–" : usd(Math.abs(saved))}
        note={
          saved !== null && saved > 0 && cost.ifDefaultUsd !== null && cost.ifDefaultUsd > 0
            ? text.savedShare(percent(saved / cost.ifDefaultUsd))
            : undefined
        }
        tone={saved !== null && saved > 0 ? "good" : undefined}
      />
    </dl>
  );
}

function DefaultNote({ cost }: { cost: Answer<"summary">["cost"] }) {
  const text = say(overviewWords);
  if (cost.defaultModel === null) return <>{text.noDefaultModel}</>;
  const name = `${cost.defaultModel.provider}/${cost.defaultModel.model}`;
  if (cost.ifDefaultUsd !== null) return <span class="wrap-any">{text.ifDefaultOf(name)}</span>;
  return (
    <span class="wrap-any">
      {text.noDefaultPrice(name)} · <a href={hashOf("cost")}>{text.setPrice}</a>
    </span>
  );
}

function Figure({
  name,
  value,
  note,
  tone,
}: {
  name: string;
  value: string;
  note?: preact.ComponentChildren;
  tone?: "good" | undefined;
}) {
  return (
    <div class={`figure card ${tone ?? ""}`}>
      <dt>{name}</dt>
      <dd>
        {value}
        {note !== undefined && <div class="note">{note}</div>}
      </dd>
    </div>
  );
}
