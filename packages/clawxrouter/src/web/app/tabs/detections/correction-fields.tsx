import { useEffect, useState } from "preact/hooks";
import type { Detection } from "../../../contract.ts";
import { PRIVATE_LEVELS, type PrivateLevel } from "../../api/names.ts";
import { Select, TextInput } from "../../components/inputs.tsx";
import { Segments } from "../../components/segments.tsx";
import { commonWords } from "../../i18n/common.ts";
import { detectionWords } from "../../i18n/detections.ts";
import { say } from "../../i18n/words.ts";
import type { Settings } from "../../state/settings.ts";
import { type Correction, type CorrectionKind, hiddenParts, ownRules } from "./correction.ts";

interface Props {
  kind: CorrectionKind;
  detection: Detection;
  settings: Settings;
  onChange: (change: Correction | undefined) => void;
}

/** What each kind of correction asks for. */
export function CorrectionFields({ kind, detection, settings, onChange }: Props) {
  switch (kind) {
    case "allow":
      return <AllowField detection={detection} onChange={onChange} />;
    case "remove-keyword":
      return (
        <RemoveField
          kind={kind}
          rules={ownRules(settings, "keywords", detection.level)}
          onChange={onChange}
        />
      );
    case "remove-pattern":
      return (
        <RemoveField
          kind={kind}
          rules={ownRules(settings, "patterns", detection.level)}
          onChange={onChange}
        />
      );
    case "keyword":
    case "pattern":
      return <AddFields kind={kind} onChange={onChange} />;
  }
}

function AllowField({ detection, onChange }: Pick<Props, "detection" | "onChange">) {
  const text = say(detectionWords);
  const parts = hiddenParts(detection);
  const [token, setToken] = useState(parts[0]?.token ?? "");
  useEffect(() => onChange(token === "" ? undefined : { kind: "allow", token }), [token]);
  return (
    <Select
      label={text.which}
      help={text.allowHelp}
      value={token}
      options={parts.map((part) => ({ value: part.token, text: `${part.type} ${part.token}` }))}
      onChange={setToken}
    />
  );
}

interface RemoveProps {
  kind: "remove-keyword" | "remove-pattern";
  rules: readonly { level: PrivateLevel; text: string }[];
  onChange: Props["onChange"];
}

function RemoveField({ kind, rules, onChange }: RemoveProps) {
  const text = say(detectionWords);
  const [at, setAt] = useState("0");
  useEffect(() => {
    const rule = rules[Number(at)];
    onChange(rule === undefined ? undefined : { kind, ...rule });
  }, [at]);
  return (
    <Select
      label={text.which}
      value={at}
      options={rules.map((rule, index) => ({ value: String(index), text: `${rule.level} · ${rule.text}` }))}
      onChange={setAt}
    />
  );
}

function AddFields({ kind, onChange }: { kind: "keyword" | "pattern"; onChange: Props["onChange"] }) {
  const text = say(detectionWords);
  const common = say(commonWords);
  const [level, setLevel] = useState<PrivateLevel>("S2");
  const [typed, setTyped] = useState("");
  useEffect(
    () => onChange(typed.trim() === "" ? undefined : { kind, level, text: typed.trim() }),
    [typed, level],
  );
  return (
    <div class="stack">
      <TextInput
        label={kind === "keyword" ? text.newKeyword : text.newPattern}
        mono={kind === "pattern"}
        value={typed}
        onChange={setTyped}
      />
      <div class="field">
        <span class="label">{text.asLevel}</span>
        <Segments
          label={text.asLevel}
          value={level}
          options={PRIVATE_LEVELS.map((value) => ({ value, text: `${value} ${common.levels[value]}` }))}
          onChange={setLevel}
        />
      </div>
    </div>
  );
}
