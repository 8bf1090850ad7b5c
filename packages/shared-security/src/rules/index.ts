import { ASSIGNMENT_RULES } from "./assignments.ts";
import { CONNECTION_STRING_RULES } from "./connection-strings.ts";
import { CONTACT_RULES } from "./contact.ts";
import { CREDENTIAL_RULES } from "./credentials.ts";
import { FINANCE_RULES } from "./finance.ts";
import { IDENTITY_RULES } from "./identity.ts";
import { NETWORK_RULES } from "./network.ts";
import { PRIVATE_KEY_RULES } from "./private-keys.ts";
import type { Rule } from "./rule.ts";

/** Every rule of this package, family by family. */
export const BUILT_IN_RULES: readonly Rule[] = [
  ...PRIVATE_KEY_RULES,
  ...CREDENTIAL_RULES,
  ...CONNECTION_STRING_RULES,
  ...ASSIGNMENT_RULES,
  ...IDENTITY_RULES,
  ...FINANCE_RULES,
  ...CONTACT_RULES,
  ...NETWORK_RULES,
];
