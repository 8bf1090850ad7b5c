export * from "./injection/index.ts";
