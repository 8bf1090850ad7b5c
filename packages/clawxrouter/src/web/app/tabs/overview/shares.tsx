import type { Answer } from "../../../contract.ts";
import { CHECKPOINT_ORDER, LEVELS, ROUTES, TIERS } from "../../api/names.ts";
import { ShareBar } from "../../charts/share-bar.tsx";
import { LevelBadge, RouteBadge } from "../../components/badges.tsx";
import { Card } from "../../components/card.tsx";
import { Empty } from "../../components/notes.tsx";
import { commonWords } from "../../i18n/common.ts";
import { overviewWords } from "../../i18n/overview.ts";
import { say } from "../../i18n/words.ts";
import { hashOf } from "../../state/location.ts";

/** Messages by level and difficulty, requests by route and level. */
export function Shares({ summary }: { summary: Answer<"summary"> }) {
  const text = say(overviewWords);
  const common = say(commonWords);
  const { turns, requests } = summary;
  return (
    <>
      <Card title={text.byLevel} help={text.byLevelHelp} width="w6">
        {turns.total === 0 ? (
          <Empty title={text.nothingYet}>
            <p>{text.nothingHelp}</p>
          </Empty>
        ) : (
          <>
            <ShareBar
              parts={LEVELS.map((level) => ({
                key: level,
                tone: level,
                name: <LevelBadge level={level} />,
                value: turns.byLevel[level],
                href: hashOf("detections", { level, checkpoint: CHECKPOINT_ORDER[0] }),
              }))}
            />
            <h3 class="share-more">{text.tierTitle}</h3>
            <ShareBar
              parts={TIERS.map((tier, at) => ({
                key: tier,
                tone: `c${at}`,
                name: <TierName name={common.tiers[tier]} tone={`c${at}`} />,
                value: turns.byTier[tier],
              }))}
            />
          </>
        )}
      </Card>
      <Card title={text.byRoute} help={text.byRouteHelp} width="w6">
        <ShareBar
          parts={ROUTES.map((route) => ({
            key: route,
            tone: route,
            name: <RouteBadge route={route} />,
            value: requests.byRoute[route],
          }))}
        />
        <h3 class="share-more">{text.requestsByLevel}</h3>
        <ShareBar
          parts={LEVELS.map((level) => ({
            key: level,
            tone: level,
            name: <LevelBadge level={level} />,
            value: requests.byLevel[level],
          }))}
        />
      </Card>
    </>
  );
}

/** What tools brought up. */
export function ToolShares({ summary }: { summary: Answer<"summary"> }) {
  const text = say(overviewWords);
  const { toolDetections } = summary;
  return (
    <Card title={text.tools} help={text.toolsHelp} width="w4">
      <ShareBar
        parts={LEVELS.filter((level) => level !== "S1" || toolDetections.byLevel.S1 > 0).map((level) => ({
          key: level,
          tone: level,
          name: <LevelBadge level={level} />,
          value: toolDetections.byLevel[level],
        }))}
      />
    </Card>
  );
}

function TierName({ name, tone }: { name: string; tone: string }) {
  return (
    <span class="row">
      <i class={`dot ${tone}`} aria-hidden="true" />
      {name}
    </span>
  );
}
