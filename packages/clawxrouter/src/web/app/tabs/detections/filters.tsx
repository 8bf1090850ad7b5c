import { useEffect, useState } from "preact/hooks";
import type { Answer } from "../../../contract.ts";
import { CHECKPOINT_ORDER, LEVELS, ROUTES } from "../../api/names.ts";
import { Button } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Select, TextInput } from "../../components/inputs.tsx";
import { sessionText } from "../../components/session-name.tsx";
import { commonWords } from "../../i18n/common.ts";
import { detectionWords } from "../../i18n/detections.ts";
import { count } from "../../i18n/format.ts";
import { say } from "../../i18n/words.ts";
import { go } from "../../state/location.ts";
import { type Filter, isFiltered } from "./filter.ts";

/** Typing stops this long before the gateway is asked. */
const PAUSE_MS = 300;

interface Props {
  filter: Filter;
  /** Only one detection is shown, from a link. */
  single: boolean;
  facets: Answer<"facets"> | undefined;
}

export function Filters({ filter, single, facets }: Props) {
  const text = say(detectionWords);
  const common = say(commonWords);
  const [search, setSearch] = useState(filter.text ?? "");
  const set = (change: Partial<Record<keyof Filter, string | undefined>>) =>
    go("detections", { ...filter, ...change }, true);
  useEffect(() => {
    if (search === (filter.text ?? "")) return;
    const timer = setTimeout(() => set({ text: search }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [search]);
  useEffect(() => {
    if (filter.text === undefined) setSearch("");
  }, [filter.text]);
  const rules = facets?.rules ?? [];
  return (
    <search>
      <div class="filters">
        <div class="wide">
          <TextInput
            label={text.search}
            type="search"
            placeholder={text.searchHint}
            value={search}
            onChange={setSearch}
          />
        </div>
        <Select
          label={common.level}
          value={filter.level ?? ""}
          options={[
            { value: "", text: text.anyLevel },
            ...LEVELS.map((level) => ({
              value: level,
              text: `${level} ${common.levels[level]}${facets === undefined ? "" : ` (${count(facets.levels[level])})`}`,
            })),
          ]}
          onChange={(level) => set({ level })}
        />
        <Select
          label={text.checkpoint}
          value={filter.checkpoint ?? ""}
          options={[
            { value: "", text: text.anyCheckpoint },
            ...CHECKPOINT_ORDER.map((checkpoint) => ({
              value: checkpoint,
              text: common.checkpoints[checkpoint],
            })),
          ]}
          onChange={(checkpoint) => set({ checkpoint })}
        />
        <Select
          label={common.route}
          value={filter.route ?? ""}
          options={[
            { value: "", text: text.anyRoute },
            ...ROUTES.map((route) => ({ value: route, text: common.routes[route] })),
          ]}
          onChange={(route) => set({ route })}
        />
        <Select
          label={text.rule}
          value={filter.rule ?? ""}
          options={[
            { value: "", text: text.anyRule },
            ...(filter.rule !== undefined && !rules.some(({ rule }) => rule === filter.rule)
              ? [{ value: filter.rule, text: filter.rule }]
              : []),
            ...rules.map(({ rule, n }) => ({ value: rule, text: `${rule} (${count(n)})` })),
          ]}
          onChange={(rule) => set({ rule })}
        />
      </div>
      {(single || isFiltered(filter)) && (
        <div class="row filter-state">
          {single && <span class="badge">{text.onlyOne}</span>}
          {filter.session !== undefined && (
            <span class="badge wrap-any">{text.onlySession(sessionText(filter.session))}</span>
          )}
          <Button small kind="quiet" onClick={() => go("detections")}>
            <Icon name="cross" size={14} />
            {text.clear}
          </Button>
        </div>
      )}
    </search>
  );
}
