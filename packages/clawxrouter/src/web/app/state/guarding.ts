/** Settings on which it hangs who sees private text: a file from elsewhere that changes one is worth a second look. */
const GUARDING = [
  "/privacy/enabled",
  "/privacy/rules/builtin",
  "/privacy/rules/allow",
  "/privacy/checkpoints",
  "/privacy/localModel/enabled",
  "/privacy/localModel/endpoint",
  "/privacy/localModel/apiKeyEnv",
  "/privacy/guardAgent",
  "/privacy/localHosts",
  "/privacy/localProviders",
  "/privacy/s2Policy",
  "/privacy/s3Outbound",
  "/privacy/failClosed",
  "/privacy/media",
  "/privacy/pipeline",
  "/privacy/routers/privacy",
  "/dashboard/hosts",
];

/** Whether a change at this place, or of something within it or around it, is one of those. */
export function isGuarding(pointer: string): boolean {
  return GUARDING.some(
    (place) => place === pointer || place.startsWith(`${pointer}/`) || pointer.startsWith(`${place}/`),
  );
}
