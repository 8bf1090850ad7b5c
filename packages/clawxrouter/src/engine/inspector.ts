/** The detectors as the egress proxy asks them: every text of every request, at the `outbound` checkpoint. */
import type { Detector } from "../detection/detector.ts";
import { type Detection, isWhollyPrivate } from "../detection/types.ts";
import type { InspectContext, InspectItem, TextInspector, TextVerdict } from "../egress/types.ts";

/** Texts that people and tools wrote; elsewhere (system prompt, schemas) a keyword names a topic, not a secret. */
const CONTENT_ROLES = new Set(["user", "assistant", "tool", "tool-arguments", "input"]);

export class DetectorInspector implements TextInspector {
  private readonly detector: () => Detector;
  constructor(detector: () => Detector) {
    this.detector = detector;
  }

  version(): string {
    return this.detector().version();
  }

  async inspect(items: readonly InspectItem[], context: InspectContext): Promise<readonly TextVerdict[]> {
    const detector = this.detector();
    return Promise.all(
      items.map(async ({ text, role, kind }) => {
        // A name has no meaning that a model could judge.
        const detection =
          kind === "name" && detector.isSemantic("outbound")
            ? detector.detectByRules(text)
            : await detector.detect(text, "outbound", context.signal);
        return verdictOf(detection, CONTENT_ROLES.has(role));
      }),
    );
  }
}

/** An S3 keyword says that the text is private, not that the word is: then the whole text is one private value. */
export function verdictOf(detection: Detection, isContent: boolean): TextVerdict {
  const whole = isContent && isWhollyPrivate(detection);
  return {
    level: detection.level,
    findings: whole ? [] : detection.findings,
    reason: detection.reasons.join("; "),
    degraded: detection.degraded,
  };
}
