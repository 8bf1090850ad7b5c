import { LevelBadge, RouteBadge, Tag } from "../../components/badges.tsx";
import { When } from "../../components/time.tsx";
import { commonWords } from "../../i18n/common.ts";
import { usd } from "../../i18n/format.ts";
import { sessionWords } from "../../i18n/sessions.ts";
import { say } from "../../i18n/words.ts";
import { DetectionStep } from "./detection-step.tsx";
import { RequestStep } from "./request-step.tsx";
import type { Turn } from "./turns.ts";

export function TurnCard({ turn }: { turn: Turn }) {
  const text = say(sessionWords);
  const { opening } = turn;
  const model = opening?.model ?? turn.requests[0]?.model;
  const provider = opening?.model ? opening.provider : turn.requests[0]?.provider;
  return (
    <article class="card turn">
      <header class="row spread">
        <h3 class="row">
          <When at={turn.startedAt} />
          <LevelBadge level={turn.level} />
          {opening !== undefined && <RouteBadge route={opening.route} />}
          {opening?.tier && <Tag>{say(commonWords).tiers[opening.tier]}</Tag>}
        </h3>
        <span class="small muted wrap-any">
          {turn.loopId === null
            ? `${text.outsideTurn}: ${text.outsideHelp}`
            : model
              ? `${provider}/${model}`
              : ""}
          {turn.usd > 0 && ` · ${usd(turn.usd)}`}
        </span>
      </header>
      <ol class="steps">
        {turn.items.map((item) =>
          item.kind === "detection" ? (
            <DetectionStep key={`d${item.id}`} detection={item} />
          ) : (
            <RequestStep key={`r${item.id}`} request={item} />
          ),
        )}
      </ol>
    </article>
  );
}
