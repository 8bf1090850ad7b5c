import { SCENES } from "./leak/scenes/index.ts";
import { leakSuite } from "./leak/suite.ts";

/** The fast part of the leak suite, in the test command: with the plugin nothing leaks, without it everything does. */
const quick = SCENES.filter((scene) => scene.quick === true);
leakSuite("leak suite, fast part, with ClawXRouter", quick, { plugin: true });

// Without the plugin these are like the others: `pnpm e2e:leak` plays them, too.
const alike = /^(?:title|plugin reload|fallback|private message in an existing)/;
leakSuite(
  "leak suite, fast part, without ClawXRouter",
  quick.filter(({ name }) => !alike.test(name)),
  { plugin: false },
);
