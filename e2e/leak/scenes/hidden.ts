/** Values written so that a reader of plain text does not see them, and what cannot be seen at all. */
import { SAFE, turns } from "../../../packages/clawxrouter/src/selftest/paths.ts";
import type { Secret } from "../../../packages/clawxrouter/src/selftest/secrets.ts";
import type { Values } from "../../../packages/clawxrouter/src/selftest/values.ts";
import type { Scene } from "../stage.ts";

const wide = (text: string) =>
  text.replaceAll(/[0-9A-Za-z@.]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));

/** Every secret of `values`, written anew. */
function rewritten(values: Values, write: (secret: Secret) => string): string {
  const from = values.used.length;
  values.both;
  return values.used.slice(from).map(write).join("\n\n");
}

export const HIDDEN: readonly Scene[] = [
  {
    name: "values in base64",
    play: (stage, values) =>
      turns(stage, stage.session("base64"), [
        rewritten(values, ({ text }) => `blob: ${Buffer.from(text).toString("base64")}`),
        SAFE,
      ]),
  },
  {
    name: "values percent-encoded",
    play: (stage, values) =>
      turns(stage, stage.session("percent"), [
        rewritten(values, ({ text }) => `https://example.com/?note=${encodeURIComponent(text)}`),
        SAFE,
      ]),
  },
  {
    name: "values in JSON in JSON",
    play: (stage, values) =>
      turns(stage, stage.session("json"), [
        rewritten(values, ({ text }) => JSON.stringify({ a: JSON.stringify({ note: text }) })),
        SAFE,
      ]),
  },
  {
    name: "values with invisible and full-width characters",
    play: (stage, values) =>
      turns(stage, stage.session("invisible"), [
        rewritten(values, ({ text, values: all }, i = text.length % 2) =>
          all.reduce(
            (now, value) =>
              now.replace(value, i === 0 ? wide(value) : value.replaceAll(/(.{3})/g, "$1\u200b")),
            text,
          ),
        ),
        SAFE,
      ]),
  },
  {
    name: "values cut over two messages",
    limit: "docs/privacy-model.md: values cut over messages",
    play: (stage, values) => {
      const halves = (from: number, to: number) =>
        values.used
          .filter(({ values: all }) => all.length === 1)
          .map(({ values: [value = ""] }) => value.slice(value.length * from, value.length * to))
          .join("\n");
      values.both;
      return turns(stage, stage.session("halves"), [
        `First part of each:\n${halves(0, 0.5)}`,
        `Second part of each:\n${halves(0.5, 1)}`,
        SAFE,
      ]);
    },
  },
];
