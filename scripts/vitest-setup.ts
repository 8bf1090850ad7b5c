import fc from "fast-check";

/**
 * Property tests draw the same cases on every run, so that a change is judged by what it changes. To look for new ones:
 * `FC_SEED=random pnpm test:unit`; what it finds is printed with its seed and becomes an example test.
 */
const seed = process.env.FC_SEED ?? "20261130";
if (seed !== "random") fc.configureGlobal({ seed: Number(seed) });
