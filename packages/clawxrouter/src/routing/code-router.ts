/** Checks the routers that users bring as modules. See `user-code/module.ts` for where modules may come from. */
import type { ClawXrouterRouter } from "./types.ts";

/**
 * Checks that a module's default export is a router with the id of its entry.
 * @throws saying what is missing
 */
export function asRouter(value: unknown, id: string, file: string): ClawXrouterRouter {
  if (typeof value !== "object" || value === null)
    throw new Error(`${file}: the default export is not a router object`);
  const router = value as Partial<ClawXrouterRouter>;
  if (typeof router.detect !== "function")
    throw new Error(`${file}: the router has no detect(context, config) function`);
  if (router.id !== id)
    throw new Error(
      `${file}: the router's id is "${String(router.id)}", its entry in privacy.routers is "${id}"`,
    );
  if (router.purpose !== undefined && router.purpose !== "privacy" && router.purpose !== "cost")
    throw new Error(`${file}: the router's purpose is neither "privacy" nor "cost"`);
  return router as ClawXrouterRouter;
}
