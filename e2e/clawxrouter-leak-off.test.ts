import { SCENES } from "./leak/scenes/index.ts";
import { leakSuite } from "./leak/suite.ts";

/** The same scenes without the plugin: each must leak, or it could not see a leak. */
leakSuite("leak suite, without ClawXRouter", SCENES, { plugin: false });
