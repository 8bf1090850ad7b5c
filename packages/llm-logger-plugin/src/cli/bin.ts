#!/usr/bin/env node
/** The stand-alone `llm-logs`: reads the logs without a gateway and without OpenClaw. */
import { main } from "./main.ts";

process.exitCode = await main(process.argv.slice(2));
