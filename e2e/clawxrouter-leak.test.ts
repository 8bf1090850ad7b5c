import { SCENES } from "./leak/scenes/index.ts";
import { leakSuite } from "./leak/suite.ts";

/**
 * Every way text can reach a cloud model, with generated secrets and entities in five languages. `pnpm e2e:leak` plays
 * it with and (clawxrouter-leak-off.test.ts) without the plugin; CLAWX_LEAK_ONLY=<regex> plays some scenes,
 * CLAWX_LEAK_SEED=<text> makes other values.
 */
leakSuite("leak suite, with ClawXRouter", SCENES, { plugin: true });
