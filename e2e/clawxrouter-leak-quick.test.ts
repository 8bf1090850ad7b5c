import { SCENES } from "./leak/scenes/index.ts";
import { leakSuite } from "./leak/suite.ts";

/** The fast part of the leak suite, in the test command: with the plugin nothing leaks, without it everything does. */
const quick = SCENES.filter((scene) => scene.quick === true);
leakSuite("leak suite, fast part, with ClawXRouter", quick, { plugin: true });
leakSuite("leak suite, fast part, without ClawXRouter", quick, { plugin: false });
