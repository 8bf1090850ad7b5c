import { z } from "zod";
import { recordSchema, updateSchema } from "../record/schema.ts";
import { HttpError } from "./wire.ts";

export const extractSchema = z.object({
  messages: z.array(z.object({ role: z.string().max(50), content: z.unknown() }).loose()).max(2_000),
  agent_id: z.string().max(200).default("remote"),
  submitted_by: z.string().max(500).default(""),
  session_key: z.string().max(500).default(""),
});
export type ExtractRequest = z.infer<typeof extractSchema>;

export const ids = z.array(z.string().min(1).max(200)).min(1).max(1_000);
export const verification = z.object({
  action: z.enum(["approve", "reject"]).default("approve"),
  verified_by: z.string().max(300).default("human"),
});
export const batchVerification = verification.extend({ knowledge_ids: ids });
export const batchUpdate = z.object({
  updates: z
    .array(updateSchema.extend({ id: z.string().min(1).max(200) }).strict())
    .max(1_000)
    .optional(),
  feedback_list: z
    .array(
      z.object({
        knowledge_id: z.string().min(1).max(200),
        is_effective: z.boolean(),
        feedback: z.string().max(20_000).default(""),
      }),
    )
    .max(1_000)
    .optional(),
});
export const patchSchema = recordSchema
  .pick({ task: true, content: true, types: true, scopes: true, owner: true, tags: true })
  .partial()
  .strict();

export function read<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => ({
    path: issue.path.join("."),
    message: issue.message,
  }));
  throw new HttpError(422, details.map((d) => `${d.path || "body"}: ${d.message}`).join("; "), details);
}
