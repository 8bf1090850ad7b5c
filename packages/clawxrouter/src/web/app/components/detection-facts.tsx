import type { Detection } from "../../contract.ts";
import { commonWords } from "../i18n/common.ts";
import { eventWords } from "../i18n/events.ts";
import { duration } from "../i18n/format.ts";
import { reasonText } from "../i18n/reasons.ts";
import { say } from "../i18n/words.ts";
import { LevelBadge, RouteBadge, Tag } from "./badges.tsx";

/** Why a verdict came out as it did: rules, model, and each router's own word. */
export function DetectionFacts({ detection }: { detection: Detection }) {
  const text = say(eventWords);
  const common = say(commonWords);
  const target = detection.model === null ? text.hostDefault : `${detection.provider}/${detection.model}`;
  return (
    <div class="stack facts">
      <dl class="fact-list">
        <Fact name={common.route} value={<RouteBadge route={detection.route} />} />
        <Fact name={common.model} value={target} />
        {detection.tier !== null && <Fact name={text.tier} value={common.tiers[detection.tier]} />}
        <Fact name={text.router} value={detection.router ?? common.none} />
        <Fact name={text.action} value={text.actions[detection.action]} />
        <Fact name={text.took} value={duration(detection.ms)} />
        {detection.degraded !== null && <Fact name={text.degraded} value={reasonText(detection.degraded)} />}
      </dl>
      {detection.rules.length > 0 && (
        <div class="row">
          <span class="muted">{text.rules}</span>
          {detection.rules.map((rule) => (
            <code key={rule} class="badge">
              {rule}
            </code>
          ))}
        </div>
      )}
      {detection.routers.length > 0 && (
        <div class="stack">
          <span class="muted">{text.routers}</span>
          <ul class="verdicts">
            {detection.routers.map((verdict) => (
              <li key={verdict.router}>
                <strong class="wrap-any">{verdict.router}</strong>
                <LevelBadge level={verdict.level} short />
                <Tag>{text.actions[verdict.action]}</Tag>
                <span class="wrap-any grow">{verdict.reason === null ? "" : reasonText(verdict.reason)}</span>
                <span class="muted">{duration(verdict.ms)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Fact({ name, value }: { name: string; value: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="wrap-any">{value}</dd>
    </div>
  );
}
