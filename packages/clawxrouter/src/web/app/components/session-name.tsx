import { Fragment } from "preact";
import { HiddenPart } from "./hidden-part.tsx";

/** A part of a session's key that the gateway has sealed, because it tells who the conversation is with. */
const SEALED = /\{([A-Z][A-Z0-9_]*)\.([A-Za-z0-9_-]{22,4000})\}/g;
const MARK = 3;

/** The key of a session for people: what is sealed in it is shown by its kind, with a mark to tell several apart. */
export function SessionName({ name }: { name: string }) {
  const parts = [];
  let at = 0;
  for (const match of name.matchAll(SEALED)) {
    const [whole, type = "", sealed = ""] = match;
    parts.push(<Words key={`${match.index}-t`} text={name.slice(at, match.index)} />);
    parts.push(<HiddenPart key={match.index} type={type} level="S2" mark={sealed.slice(0, MARK)} />);
    at = match.index + whole.length;
  }
  // A key may be written from right to left.
  return (
    <bdi>
      {parts}
      <Words text={name.slice(at)} />
    </bdi>
  );
}

/** Breaks at colons rather than within a word. */
function Words({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?<=:)/).map((piece, at) => (
        <Fragment key={`${at}-${piece}`}>
          {at > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </>
  );
}

/** As {@link SessionName} where only text can stand. */
export function sessionText(name: string): string {
  return name.replace(SEALED, (_, type: string, sealed: string) => `[${type} ${sealed.slice(0, MARK)}]`);
}

export function hasSealed(name: string): boolean {
  return name.search(SEALED) >= 0;
}
