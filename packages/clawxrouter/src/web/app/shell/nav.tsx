import { Icon } from "../components/icon.tsx";
import { commonWords } from "../i18n/common.ts";
import { say } from "../i18n/words.ts";
import { hashOf, place, TABS } from "../state/location.ts";

export function Nav() {
  const text = say(commonWords);
  return (
    <nav class="nav" aria-label={text.sections}>
      {TABS.map((tab) => (
        <a key={tab} href={hashOf(tab)} aria-current={place.value.tab === tab ? "page" : undefined}>
          <Icon name={tab} size={19} />
          <span class="long">{text.tabs[tab]}</span>
          <span class="short">{text.shortTabs[tab]}</span>
        </a>
      ))}
    </nav>
  );
}
