import type { Answer } from "../../contract.ts";
import { commonWords } from "../i18n/common.ts";
import { eventWords } from "../i18n/events.ts";
import { duration, percent } from "../i18n/format.ts";
import { reasonText } from "../i18n/reasons.ts";
import { ruleWords } from "../i18n/rules.ts";
import { say } from "../i18n/words.ts";
import { LevelBadge, Tag } from "./badges.tsx";
import { Quote } from "./quote.tsx";

type Verdict = Answer<"testClassify">;

interface Props {
  message: string;
  verdict: Verdict;
  /** What a cloud model would get; null: nothing; undefined: not asked. */
  cloud: string | null | undefined;
}

export function VerdictResult({ message, verdict, cloud }: Props) {
  const text = say(ruleWords);
  const common = say(commonWords);
  const { merged, routers, skipped, plan } = verdict;
  return (
    <div class="result">
      <section class="stack" aria-label={text.merged}>
        <div class="row">
          <h3>{text.merged}</h3>
          <LevelBadge level={merged.level} />
          <Tag>{say(eventWords).actions[merged.action]}</Tag>
          {merged.tier !== null && <Tag>{common.tiers[merged.tier]}</Tag>}
          <span class="small muted">
            {merged.router !== null && `${text.wonBy(merged.router)} · `}
            {duration(verdict.ms)}
          </span>
        </div>
        {merged.reason !== null && <p class="wrap-any">{reasonText(merged.reason)}</p>}
        <p class="small muted wrap-any">
          {text.target}:{" "}
          {merged.target === null ? text.hostDefault : `${merged.target.provider}/${merged.target.model}`}
        </p>
        {merged.degraded !== null && (
          <p class="fault">{`${say(eventWords).degraded}: ${reasonText(merged.degraded)}`}</p>
        )}
      </section>
      {merged.findings.length > 0 && (
        <section class="stack" aria-label={text.foundIn}>
          <h3>{text.foundIn}</h3>
          <Quote>
            <Marked message={message} findings={merged.findings} />
          </Quote>
        </section>
      )}
      {cloud !== undefined && (
        <section class="stack" aria-label={text.cloudGets}>
          <h3>{text.cloudGets}</h3>
          <Quote>{cloud === null ? <em class="muted">{text.nothingOut}</em> : cloud}</Quote>
        </section>
      )}
      <section class="stack" aria-label={text.eachRouter}>
        <h3>{text.eachRouter}</h3>
        <ul class="verdicts">
          {routers.map((router) => (
            <li key={router.router}>
              <strong class="wrap-any">{router.router}</strong>
              <span class="small muted">{text.weightOf(router.weight)}</span>
              <LevelBadge level={router.level} short />
              <Tag>{say(eventWords).actions[router.action]}</Tag>
              {router.tier !== null && <Tag>{common.tiers[router.tier]}</Tag>}
              <span class="grow wrap-any">
                {router.error === null ? reasonText(router.reason ?? "") : `${text.failed}: ${router.error}`}
                {router.target !== null && ` → ${router.target.provider}/${router.target.model}`}
              </span>
              <span class="small muted">
                {router.confidence !== null && `${text.confidence(percent(router.confidence))} · `}
                {duration(router.ms)}
              </span>
            </li>
          ))}
        </ul>
        <p class="small muted wrap-any">
          {plan.second.length > 0
            ? text.order(plan.first.join(", "), plan.second.join(", "))
            : text.orderOne(plan.first.join(", "))}
          {skipped.length > 0 && ` ${text.skipped(skipped.join(", "))}`}
        </p>
      </section>
    </div>
  );
}

/** The user's own text with what was found marked. */
function Marked({ message, findings }: { message: string; findings: Verdict["merged"]["findings"] }) {
  const parts = [];
  let at = 0;
  for (const finding of findings) {
    if (finding.start < at) continue;
    parts.push(<span key={`${at}-t`}>{message.slice(at, finding.start)}</span>);
    parts.push(
      <mark key={finding.start} class={finding.level} title={finding.rule}>
        {message.slice(finding.start, finding.end)}
        <small>
          {finding.level} {finding.type}
        </small>
      </mark>,
    );
    at = finding.end;
  }
  return (
    <>
      {parts}
      {message.slice(at)}
    </>
  );
}
