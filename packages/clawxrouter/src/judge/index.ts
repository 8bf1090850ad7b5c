export { EmbeddedJudge, type EmbeddedVerdict } from "./embedded-judge.ts";
