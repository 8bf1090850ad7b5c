import { Icon } from "../components/icon.tsx";
import { Segments } from "../components/segments.tsx";
import { commonWords } from "../i18n/common.ts";
import { language, setLanguage } from "../i18n/language.ts";
import { say } from "../i18n/words.ts";
import { setTheme, theme } from "../state/theme.ts";

/** Language and theme. The languages name themselves, so that anybody finds his own. */
export function Switches() {
  const text = say(commonWords);
  return (
    <div class="switches">
      <Segments
        label={text.language}
        value={language.value}
        options={[
          { value: "en", text: "English", show: "EN" },
          { value: "zh", text: "中文", show: "中文" },
        ]}
        onChange={setLanguage}
      />
      <Segments
        label={text.theme}
        value={theme.value}
        options={[
          { value: "system", text: text.themes.system, show: <Icon name="screen" size={16} /> },
          { value: "light", text: text.themes.light, show: <Icon name="sun" size={16} /> },
          { value: "dark", text: text.themes.dark, show: <Icon name="moon" size={16} /> },
        ]}
        onChange={setTheme}
      />
    </div>
  );
}
