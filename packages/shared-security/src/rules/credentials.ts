import { isJwt } from "../validators/jwt.ts";
import type { Rule } from "./rule.ts";
import { token } from "./token.ts";

/** Tokens that say by their own prefix what they are. */
export const CREDENTIAL_RULES: readonly Rule[] = [
  {
    id: "credentials/jwt",
    type: "JWT",
    level: "S2",
    confidence: 1,
    keywords: ["eyJ"],
    pattern:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{2,8000}(?:\.[A-Za-z0-9_-]{0,4000}){0,3}/,
    validate: isJwt,
    examples: {
      ok: [`Authorization: Bearer ${"eyJhbGciOiJIUzI1NiJ9"}.eyJzdWIiOiIxIn0.${"dBjftJeZ4CVPmB92K27"}`],
      ng: ["eyJhbGci", "eyJubyI6ImFsZyJ9.eyJzdWIiOiIxIn0.c2ln", "heyJude.is.a.song"],
    },
    source: "RFC 7519, RFC 7515 section 7.1",
  },
  {
    id: "credentials/aws-access-key-id",
    type: "AWS_ACCESS_KEY",
    level: "S3",
    confidence: 0.95,
    keywords: ["AKIA", "ASIA", "ABIA", "ACCA", "A3T"],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/,
    examples: {
      ok: [`id = ${"AKIA"}IOSFODNN7EXAMPLE`, `${"ASIA"}Y34FZKBOKMUTVV7A`],
      ng: ["AKIAlowercase1234567", `${"AKIA"}IOSFODNN7EXAMPLE1`, "ASIA"],
    },
    source: "AWS IAM User Guide, Understanding unique ID prefixes",
  },
  {
    id: "credentials/mailchimp-key",
    type: "API_KEY",
    level: "S2",
    confidence: 0.95,
    keywords: ["-us"],
    pattern: /(?<=(?<![A-Za-z0-9])(?<left>[0-9a-f]{32}))-us\d{1,2}(?!\w)/,
    examples: {
      ok: [`key '${"bd3777708aecfee6".repeat(2)}-us13'`],
      ng: ["eu-us13", `${"bd3777708aecfee6".repeat(2)}-use`],
    },
    source: "Mailchimp Marketing API, API keys",
  },
  {
    id: "credentials/kubernetes-bootstrap-token",
    type: "ACCESS_TOKEN",
    level: "S2",
    confidence: 0.85,
    keywords: ["bootstrap", "--token"],
    pattern: /(?:bootstrap[-_]?token|--token)["']?[ :=]{1,3}["']?(?<v>[a-z0-9]{6}\.[a-z0-9]{16})(?![\w.])/i,
    examples: {
      ok: ["--tls-bootstrap-token abcdef.1234567890abcdef", "kubeadm join --token be8dfd.da8a689a46edc282"],
      ng: ["bootstrap-token x.y", "bootstrap.min.css"],
    },
    source: "Kubernetes, Authenticating with bootstrap tokens",
  },
  {
    id: "credentials/salesforce-session",
    type: "ACCESS_TOKEN",
    level: "S2",
    confidence: 0.95,
    keywords: ["00D"],
    pattern: /(?<![A-Za-z0-9])00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{80,140}(?![A-Za-z0-9])/,
    examples: {
      ok: [`sid: ${"00D"}E0X000000a1bC!${"AQEAQG3.kd_9".repeat(8)}`],
      ng: ["00D is an organization", "00D000000000062!short"],
    },
    source: "Salesforce REST API, Session ID",
  },
  {
    id: "credentials/aws-secret-key",
    type: "AWS_SECRET_KEY",
    level: "S3",
    confidence: 0.95,
    keywords: [
      "aws_secret",
      "awssecret",
      "aws-secret",
      "secret_access_key",
      "secretaccesskey",
      "secret-access-key",
    ],
    pattern:
      /(?:aws[_-]?)?secret(?:[_-]?access)?[_-]?key(?:_id)?\\?["'\]]{0,2}\s{0,8}(?:=>|[:=,])\s{0,8}\\?["'`]?(?<v>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
    examples: {
      ok: [
        `aws_secret_access_key = ${"wJalrXUtnFEMI/K7MDENG"}/bPxRfiCYEXAMPLEKEY`,
        `"SecretAccessKey": "${"wJalrXUtnFEMI/K7MDENG"}/bPxRfiCYEXAMPLEKEY"`,
      ],
      ng: [
        "aws_secret_access_key = ded7db27a4558e2ea9bbf0bf36ae0e8521618f366c",
        "secretAccessKey: string",
        "aws_secret_access_key=$KEY",
      ],
    },
    source: "AWS IAM User Guide, Access keys (40 characters)",
  },
  {
    id: "credentials/aws-secret-after-id",
    type: "AWS_SECRET_KEY",
    level: "S3",
    confidence: 0.9,
    keywords: ["AKIA", "ASIA"],
    pattern:
      /(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9]{1,24}(?:\w{0,16}secret\w{0,16}[^A-Za-z0-9]{1,12})?(?<v>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
    examples: {
      ok: [`${"AKIA"}IOSFODNN7EXAMPLE / ${"wJalrXUtnFEMI/K7MDENG"}/bPxRfiCYEXAMPLEKEY`],
      ng: [`${"AKIA"}IOSFODNN7EXAMPLE`, `${"AKIA"}IOSFODNN7EXAMPLE is an id`],
    },
    source: "AWS IAM User Guide, Access keys (20 and 40 characters)",
  },
  ...token({
    name: "github-token",
    type: "GITHUB_TOKEN",
    prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    body: /[A-Za-z0-9]{36,251}/,
    sample: "16C7e42F292c6912E7710c838347Ae178B4a",
    source: "GitHub Docs, About authentication to GitHub: GitHub's token formats",
  }),
  ...token({
    name: "github-fine-grained-token",
    type: "GITHUB_TOKEN",
    prefixes: ["github_pat_"],
    body: /[A-Za-z0-9]{22}_[A-Za-z0-9]{40,70}/,
    sample: `11AALKJEA04kc5Z9kNGzwK_${"zLv1venPjF9IFl5QvO2plAgKD9KW".repeat(2)}`,
    source: "GitHub Docs, Managing your personal access tokens",
  }),
  ...token({
    name: "gitlab-token",
    type: "GITLAB_TOKEN",
    prefixes: [
      "glpat-",
      "glptt-",
      "gldt-",
      "glrt-",
      "glcbt-",
      "glsoat-",
      "glffct-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glft-",
    ],
    body: /[A-Za-z0-9_-]{20,80}/,
    sample: "kSaPeOD_T0JxMi3p28Bq",
    source: "GitLab Docs, Token overview: token prefixes",
  }),
  ...token({
    name: "openai-key",
    type: "API_KEY",
    prefixes: ["sk-"],
    body: /(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{20,220}/,
    sample: `mxIt5s1tyfCJyIKHwrqO${"T3Blbk"}FJT3VVmv6VdSwB7XXIq1TO`,
    source:
      "OpenAI API reference, Authentication (sk-, sk-proj-); the same shape is used by DeepSeek, Moonshot, Qwen",
    validate: mixed,
  }),
  ...token({
    name: "anthropic-key",
    type: "API_KEY",
    prefixes: ["sk-ant-"],
    body: /(?:api|admin|sid|oat)\d{2}-[A-Za-z0-9_-]{40,140}/,
    sample: `api03-${"jSq6OMjv1syXaEUE0bvO".repeat(4)}AA`,
    source: "Anthropic API documentation, Authentication",
  }),
  ...token({
    name: "slack-token",
    type: "SLACK_TOKEN",
    prefixes: [
      "xoxb-",
      "xoxp-",
      "xoxa-",
      "xoxr-",
      "xoxs-",
      "xoxe-",
      "xoxo-",
      "xoxc-",
      "xoxd-",
      "xapp-",
      "xoxe.xoxp-",
      "xoxe.xoxb-",
    ],
    body: /[A-Za-z0-9%-]{10,250}/,
    sample: "153445930147-Tjy11gGxUW6Cf99YOYwtzG0K",
    source: "Slack API, Token types",
  }),
  ...token({
    name: "google-api-key",
    type: "GOOGLE_API_KEY",
    level: "S3",
    prefixes: ["AIza"],
    body: /[A-Za-z0-9_-]{35}/,
    sample: "SyB4sU8lU15bR_87qNb7eUVQN72_vv8mpbU",
    source: "Google Cloud documentation, Manage API keys",
  }),
];

/** Digits and letters both: `sk-` alone also starts words of CSS classes and slugs. */
function mixed(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]{2}/.test(value) && !/^sk-(?:[a-z]+-)+[a-z]+\d*$/.test(value);
}
