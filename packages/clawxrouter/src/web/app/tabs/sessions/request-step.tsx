import type { ModelRequest } from "../../../contract.ts";
import { RouteBadge, Tag } from "../../components/badges.tsx";
import { Icon } from "../../components/icon.tsx";
import { Quote } from "../../components/quote.tsx";
import { eventWords } from "../../i18n/events.ts";
import { clock, count, duration, usd } from "../../i18n/format.ts";
import { reasonText } from "../../i18n/reasons.ts";
import { say } from "../../i18n/words.ts";

export function RequestStep({ request }: { request: ModelRequest }) {
  const text = say(eventWords);
  const replaced = Object.values(request.replaced).reduce((sum, n) => sum + n, 0);
  const ok = request.outcome === "ok";
  const facts = [
    request.input !== null && text.tokensInOut(count(request.input), count(request.output ?? 0)),
    request.usd === null ? text.unknownPrice : request.usd > 0 && usd(request.usd),
    replaced > 0 && text.replaced(replaced),
    request.restored > 0 && text.restored(request.restored),
    request.firstTokenMs !== null && text.firstToken(duration(request.firstTokenMs)),
  ].filter((fact) => typeof fact === "string");
  return (
    <li class="step request">
      <div class="step-head">
        <span class="step-icon">
          <Icon name={request.route === "local" ? "home" : "cloud"} size={15} />
        </span>
        <strong>{text.request}</strong>
        <span class="wrap-any">
          {request.model === null ? request.provider : `${request.provider}/${request.model}`}
        </span>
        <RouteBadge route={request.route} />
        {!ok && (
          <Tag tone="bad" icon="warning">
            {text.outcomes[request.outcome]}
            {request.status !== null && ` (${request.status})`}
            {request.refusal !== null && `: ${request.refusal}`}
          </Tag>
        )}
        <span class="small muted step-time">
          {clock(request.at)}
          {request.ms !== null && ` · ${duration(request.ms)}`}
        </span>
      </div>
      <p class="small muted">{facts.join(" · ")}</p>
      {request.degraded !== null && (
        <p class="small fault">{`${text.degraded}: ${reasonText(request.degraded)}`}</p>
      )}
      {request.sent !== null && (
        <details class="small">
          <summary>{text.sent}</summary>
          <Quote>{request.sent}</Quote>
        </details>
      )}
    </li>
  );
}
