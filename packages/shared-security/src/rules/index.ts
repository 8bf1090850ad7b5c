import { ASSIGNMENT_RULES } from "./assignments.ts";
import { BUSINESS_RULES } from "./business-zh.ts";
import { CLOUD_RESOURCE_RULES } from "./cloud-resources.ts";
import { COMMAND_RULES } from "./commands.ts";
import { CONNECTION_STRING_RULES } from "./connection-strings.ts";
import { CONTACT_RULES } from "./contact.ts";
import { CREDENTIAL_RULES } from "./credentials.ts";
import { FILE_RULES } from "./files.ts";
import { FINANCE_RULES } from "./finance.ts";
import { HASH_RULES } from "./hashes.ts";
import { IDENTITY_RULES } from "./identity.ts";
import { CHINESE_NAME_RULES } from "./names-zh.ts";
import { NETWORK_RULES } from "./network.ts";
import { PASSWORD_PLACE_RULES } from "./passwords-elsewhere.ts";
import { PHONE_RULES } from "./phone.ts";
import { PRIVATE_KEY_RULES } from "./private-keys.ts";
import type { Rule } from "./rule.ts";
import { SECRET_RULES } from "./secrets.ts";
import { SERVICE_TOKEN_RULES } from "./service-tokens.ts";
import { VENDOR_TOKEN_RULES } from "./vendor-tokens.ts";
import { WEBHOOK_RULES } from "./webhooks.ts";

/** Every rule of this package, family by family. */
export const BUILT_IN_RULES: readonly Rule[] = [
  ...PRIVATE_KEY_RULES,
  ...CREDENTIAL_RULES,
  ...VENDOR_TOKEN_RULES,
  ...SERVICE_TOKEN_RULES,
  ...HASH_RULES,
  ...WEBHOOK_RULES,
  ...CONNECTION_STRING_RULES,
  ...COMMAND_RULES,
  ...ASSIGNMENT_RULES,
  ...PASSWORD_PLACE_RULES,
  ...SECRET_RULES,
  ...IDENTITY_RULES,
  ...FINANCE_RULES,
  ...CONTACT_RULES,
  ...PHONE_RULES,
  ...NETWORK_RULES,
  ...FILE_RULES,
  ...CLOUD_RESOURCE_RULES,
  ...CHINESE_NAME_RULES,
  ...BUSINESS_RULES,
];
