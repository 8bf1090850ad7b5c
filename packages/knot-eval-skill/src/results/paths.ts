import path from "node:path";
import type { LoadedConfig } from "../config/load.ts";

/** All files of one evaluation. They lie in the working directory (output.dir), never in the skill folder. */
export interface RunPaths {
  dir: string;
  questions: string;
  journal: string;
  results: string;
  progress: string;
  pendingReview: string;
  reviewResults: string;
  markdown: string;
  html: string;
  csv: string;
  junit: string;
  streams: string;
}

/** Relative paths start from the folder of the configuration file. */
export function runPaths(loaded: LoadedConfig): RunPaths {
  const dir = path.resolve(loaded.baseDir, loaded.config.output.dir);
  const at = (name: string) => path.join(dir, name);
  return {
    dir,
    questions: path.resolve(dir, loaded.config.output.questions),
    journal: at("eval_answers.jsonl"),
    results: at("eval_results.json"),
    progress: at("progress.json"),
    pendingReview: at("pending_ai_review.json"),
    reviewResults: at("ai_review_results.json"),
    markdown: at("eval_report.md"),
    html: at("eval_report.html"),
    csv: at("eval_results.csv"),
    junit: at("eval_junit.xml"),
    streams: at("streams"),
  };
}
