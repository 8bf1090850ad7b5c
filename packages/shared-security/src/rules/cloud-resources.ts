import type { Rule } from "./rule.ts";

const NO_WORD = "(?<![A-Za-z0-9.-])";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";

/** An account's own names in a public cloud: no secret by themselves, yet they say who and where. */
export const CLOUD_RESOURCE_RULES: readonly Rule[] = [
  {
    id: "cloud/aws-s3-host",
    type: "CLOUD_RESOURCE",
    level: "S2",
    confidence: 0.7,
    keywords: [".s3.", ".s3-"],
    pattern:
      /(?<=(?:^|[^A-Za-z0-9.-]|%2F)(?<left>[a-z0-9](?:[a-z0-9.-]{1,61}[a-z0-9])))\.s3(?:[.-][a-z]{2}-[a-z]{4,9}-\d|-website[.-][a-z0-9-]{4,20})?\.amazonaws\.com/i,
    examples: {
      ok: ["example-bucket.s3.amazonaws.com", "http://bucket.s3-us-east-2.amazonaws.com/x"],
      ng: [".s3.amazonaws.com", "s3.amazonaws.com", "x.s3.example.com"],
    },
    source: "Amazon S3 User Guide, Virtual hosting of buckets",
  },
  {
    id: "cloud/aws-s3-path",
    type: "CLOUD_RESOURCE",
    level: "S2",
    confidence: 0.7,
    keywords: ["s3.amazonaws.com/", ".amazonaws.com/"],
    pattern:
      /(?:(?<![.\w-])s3|(?<=(?<![.\w-])s3[.-][a-z]{2}-[a-z]{4,9}-\d))\.amazonaws\.com\/(?<v>[a-z0-9][a-z0-9.-]{2,62})(?![\w$<{])/i,
    examples: {
      ok: ["s3.amazonaws.com/example-bucket", "http://s3-us-east-2.amazonaws.com/example-bucket"],
      ng: ["https://s3.amazonaws.com/", "s3.amazonaws.com"],
    },
    source: "Amazon S3 User Guide, Path-style requests",
  },
  {
    id: "cloud/aws-arn",
    type: "CLOUD_RESOURCE",
    level: "S2",
    confidence: 0.7,
    keywords: ["arn:aws"],
    pattern:
      /(?<![A-Za-z0-9])arn:aws(?:-[a-z-]{2,10})?:[a-z0-9-]{1,40}:[a-z0-9-]{0,20}:\d{0,12}:(?<v>[\w.:/*${}@=+-]{3,200})/,
    validate: (value) => !/^[*:/<{$.]+$/.test(value),
    examples: {
      ok: [
        "arn:aws:s3:::my_corporate_bucket/*",
        "arn:aws:iam::123456789012:user/Development/x",
        `f"arn:aws:s3:::{bucket_name}"`,
      ],
      ng: ["arn:aws:s3:::*", "arn:aws:iam::"],
    },
    source: "AWS IAM User Guide, Amazon Resource Names",
  },
  {
    id: "cloud/google-client-id",
    type: "CLOUD_RESOURCE",
    level: "S2",
    confidence: 0.8,
    keywords: [".apps.googleusercontent.com"],
    pattern: /(?<=(?<![\w-])(?<left>\d{6,20}-[a-z0-9]{20,40}))\.apps\.googleusercontent\.com/,
    examples: {
      ok: ["231545488769-4d1mcev9vifvlncrern52id2pqqf5u5l.apps.googleusercontent.com"],
      ng: ["<id>.apps.googleusercontent.com", "x.apps.googleusercontent.com"],
    },
    source: "Google Identity, OAuth 2.0 client IDs",
  },
  {
    id: "cloud/google-storage",
    type: "CLOUD_RESOURCE",
    level: "S2",
    confidence: 0.65,
    keywords: [".storage.googleapis.com"],
    pattern: /(?<=(?<![\w.-])(?<left>[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?))\.storage\.googleapis\.com/,
    examples: {
      ok: ["some-bucket.example.com.storage.googleapis.com", "https://c.storage.googleapis.com/x"],
      ng: ["https://storage.googleapis.com", "https://.storage.googleapis.com"],
    },
    source: "Cloud Storage documentation, Request endpoints",
  },
  {
    id: "cloud/tenant-host",
    type: "CLOUD_RESOURCE",
    level: "S2",
    confidence: 0.65,
    keywords: [
      ".myshopify.com",
      ".auth0.com",
      ".cloud.databricks.com",
      ".azuredatabricks.net",
      ".my.salesforce.com",
      ".openai.azure.com",
      ".blob.core.windows.net",
      ".file.core.windows.net",
      ".queue.core.windows.net",
      ".table.core.windows.net",
      ".database.windows.net",
      ".azconfig.io",
      ".vault.azure.net",
      ".azurewebsites.net",
      ".okta.com",
      ".oktapreview.com",
      ".atlassian.net",
      ".zendesk.com",
      ".snowflakecomputing.com",
      ".rds.amazonaws.com",
      ".firebaseio.com",
      ".supabase.co",
      ".oss-cn",
      ".myqcloud.com",
      ".onelogin.com",
      ".service-now.com",
    ],
    pattern: new RegExp(
      `(?<=${NO_WORD}(?<left>(?:${LABEL}\\.){0,3}${LABEL}))\\.(?:myshopify\\.com|auth0\\.com|cloud\\.databricks\\.com|azuredatabricks\\.net|my\\.salesforce\\.com|openai\\.azure\\.com|(?:blob|file|queue|table)\\.core\\.windows\\.net|database\\.windows\\.net|azconfig\\.io|vault\\.azure\\.net|azurewebsites\\.net|okta(?:preview)?\\.com|atlassian\\.net|zendesk\\.com|snowflakecomputing\\.com|(?<=\\.[a-z0-9]{12}\\.[a-z0-9-]{6,20}\\.)rds\\.amazonaws\\.com|firebaseio\\.com|supabase\\.co|oss-cn-[a-z]{4,20}\\.aliyuncs\\.com|cos\\.[a-z-]{4,20}\\.myqcloud\\.com|onelogin\\.com|service-now\\.com)(?![\\w-])`,
      "i",
    ),
    validate: (value) =>
      !/^(?:your?|www|docs?|support|help|status|developers?|api|cdn|login|dev|community|trust|marketplace|example|<)\b/i.test(
        value,
      ) && !/[-_]?(?:your|placeholder|xxx)[-_.]/i.test(value),
    examples: {
      ok: [
        "handsomestranger.myshopify.com",
        "https://mycompany.us.auth0.com/",
        "company-name.cloud.databricks.com",
        "mystorageaccount.blob.core.windows.net",
        "corp-data.oss-cn-hangzhou.aliyuncs.com",
        "orders.c9akciq32rty.eu-west-1.rds.amazonaws.com",
      ],
      ng: [
        "your-store.myshopify.com",
        "https://developer.okta.com",
        "https://support.zendesk.com/x",
        "auth0.com",
      ],
    },
    source:
      "tenant host names as documented by Shopify, Auth0, Databricks, Salesforce, Microsoft, Okta, Atlassian, Alibaba Cloud, Tencent Cloud",
  },
  {
    id: "cloud/thingsboard-token",
    type: "ACCESS_TOKEN",
    level: "S2",
    confidence: 0.85,
    keywords: ["thingsboard"],
    pattern: /thingsboard[a-z.]{1,20}(?::\d{2,5})?\/api\/v1\/(?<v>[A-Za-z0-9]{20})(?![A-Za-z0-9])/i,
    examples: {
      ok: ["https://thingsboard.cloud/api/v1/354u1g321kcqc1oad3w7/telemetry"],
      ng: ["https://thingsboard.io/docs/api/v1/"],
    },
    source: "ThingsBoard, HTTP device API",
  },
];
