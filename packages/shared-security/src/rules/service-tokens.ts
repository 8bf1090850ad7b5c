import type { Rule } from "./rule.ts";
import { type VendorLine, vendorRules } from "./token.ts";

/** Tokens of services for work and messages, shops and payments, observability. */
const SERVICES: readonly VendorLine[] = [
  // Work and messages
  ["notion-token", ["secret_", "ntn_"], /[A-Za-z0-9]{43,50}/, "Notion API, Authorization"],
  ["linear-key", ["lin_api_", "lin_oauth_"], /[A-Za-z0-9]{40,64}/, "Linear API, Authentication"],
  ["airtable-token", ["pat"], /[A-Za-z0-9]{14}\.[a-f0-9]{64}/, "Airtable, Personal access tokens"],
  ["figma-token", ["figd_", "figo_", "figu_"], /[A-Za-z0-9_-]{38,50}/, "Figma REST API, Access tokens"],
  ["typeform-token", ["tfp_"], /[A-Za-z0-9_.-]{40,80}/, "Typeform, Personal access tokens"],
  ["clickup-token", ["pk_"], /\d{5,10}_[A-Z0-9]{28,34}/, "ClickUp API, Authentication"],
  ["asana-token", ["1/"], /\d{12,20}:[a-f0-9]{32}/, "Asana, Personal access tokens"],
  ["dropbox-token", ["sl."], /[A-Za-z0-9_-]{100,1500}/, "Dropbox, OAuth guide (short-lived tokens)"],
  ["box-frameio-token", ["fio-u-", "ffio-u-"], /[A-Za-z0-9_-]{55,70}/, "Frame.io API, Developer tokens"],
  [
    "hubspot-token",
    ["pat-na1-", "pat-eu1-"],
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
    "HubSpot, Private apps",
  ],
  ["sendgrid-key", ["SG."], /[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/, "Twilio SendGrid, API keys"],
  ["brevo-key", ["xkeysib-", "xsmtpsib-"], /[a-f0-9]{64}-[A-Za-z0-9]{16}/, "Brevo API, Authentication"],
  ["mailgun-key", ["key-"], /[a-f0-9]{32}/, "Mailgun, API keys"],
  ["resend-key", ["re_"], /[A-Za-z0-9]{8}_[A-Za-z0-9]{24}/, "Resend, API keys"],
  ["contentful-token", ["CFPAT-"], /[A-Za-z0-9_-]{43,70}/, "Contentful, Personal access tokens"],
  ["teamwork-token", ["tkn.v1_"], /[A-Za-z0-9_+/=-]{60,100}/, "Teamwork.com, API"],
  ["voiceflow-key", ["VF.DM.", "VF.WS.", "VF."], /[a-f0-9]{24}\.[A-Za-z0-9]{16}/, "Voiceflow, API keys"],
  ["ionic-token", ["ion_"], /[A-Za-z0-9]{42}/, "Ionic Appflow, Personal access tokens"],
  ["storecove-key", ["storecove_"], /[A-Za-z0-9]{30,60}/, "Storecove API"],
  ["kagi-token", ["kagi_"], /[A-Za-z0-9_.-]{30,80}/, "Kagi API"],
  ["lichess-token", ["lip_"], /[A-Za-z0-9]{20,24}/, "lichess.org API, Personal tokens"],
  // Payments and shops
  [
    "stripe-key",
    ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
    /[A-Za-z0-9]{14,250}/,
    "Stripe, API keys",
    "S3",
  ],
  [
    "square-token",
    ["sq0atp-", "sq0csp-", "sq0idp-", "sq0atb-", "sandbox-sq0atb-"],
    /[A-Za-z0-9_-]{20,50}/,
    "Square, Access tokens",
    "S3",
  ],
  ["square-access-token", ["EAAA"], /[A-Za-z0-9_-]{58,62}/, "Square, Access tokens", "S3"],
  [
    "shopify-token",
    ["shpat_", "shpca_", "shppa_", "shpss_", "shptka_"],
    /[a-fA-F0-9]{32}/,
    "Shopify Admin API, Access tokens",
    "S3",
  ],
  ["easypost-key", ["EZAK", "EZTK"], /[A-Za-z0-9]{54}/, "EasyPost API, Authentication"],
  ["shippo-token", ["shippo_live_", "shippo_test_"], /[a-f0-9]{40}/, "Shippo API, Authentication"],
  ["duffel-token", ["duffel_live_", "duffel_test_"], /[A-Za-z0-9_=-]{40,50}/, "Duffel API"],
  ["flutterwave-key", ["FLWSECK-", "FLWSECK_TEST-"], /[a-z0-9]{12,40}(?:-X)?/, "Flutterwave, API keys", "S3"],
  ["paystack-key", ["sk_live_", "sk_test_"], /[a-f0-9]{40}/, "Paystack, API keys", "S3"],
  ["razorpay-key", ["rzp_live_", "rzp_test_"], /[A-Za-z0-9]{14}/, "Razorpay, API keys", "S3"],
  [
    "plaid-token",
    ["access-sandbox-", "access-development-", "access-production-"],
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
    "Plaid API, Tokens",
    "S3",
  ],
  ["flexport-token", ["shltm_"], /[A-Za-z0-9_-]{30,50}/, "Flexport API"],
  [
    "pubnub-key",
    ["pub-c-", "sub-c-", "sec-c-"],
    /[A-Za-z0-9]{8}(?:-[A-Za-z0-9]{4}){3}-[A-Za-z0-9]{12}|[A-Za-z0-9]{48}/,
    "PubNub, Keysets",
  ],
  ["recaptcha-key", ["6L"], /[A-Za-z0-9_-]{38}/, "Google reCAPTCHA, Site and secret keys"],
  ["fullstory-key", ["na1.", "eu1."], /[A-Za-z0-9+/]{60,120}/, "FullStory, API keys"],
  // Observability
  [
    "grafana-token",
    ["glc_", "glsa_"],
    /[A-Za-z0-9+/_=]{32,400}/,
    "Grafana, Service accounts and access policies",
  ],
  ["grafana-legacy-key", ["eyJrIjoi"], /[A-Za-z0-9+/_=-]{40,400}/, 'Grafana, API keys (base64 of {"k":...})'],
  [
    "newrelic-key",
    ["NRAK-", "NRAA-", "NRRA-", "NRJS-", "NRII-", "NRIQ-", "NRSP-"],
    /[A-Za-z0-9_-]{19,50}/,
    "New Relic, API key types",
  ],
  [
    "newrelic-pixie-key",
    ["px-dep-", "px-api-"],
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
    "New Relic, Pixie keys",
  ],
  ["datadog-app-key", ["ddapp_"], /[A-Za-z0-9]{34}/, "Datadog, Application keys"],
  [
    "mapbox-secret",
    ["sk.", "pk."],
    /eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{16,40}/,
    "Mapbox, Access tokens",
  ],
  [
    "facebook-token",
    ["EAACEdEose0cBA", "EAAB", "EAAD", "EAAG", "EAAJ"],
    /[A-Za-z0-9]{60,400}/,
    "Meta, Access tokens",
    "S3",
  ],
  ["zoho-token", ["1000."], /[a-f0-9]{32}\.[a-f0-9]{32}/, "Zoho, OAuth tokens"],
  // With their first digit: two letters alone would be tried at every "access" and "task".
  [
    "twilio-key",
    Array.from("0123456789abcdef", (digit) => [`SK${digit}`, `AC${digit}`]).flat(),
    /[a-f0-9]{31}/,
    "Twilio, API keys and account SIDs",
  ],
  [
    "mws-token",
    ["amzn.mws."],
    /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/,
    "Amazon Marketplace Web Service",
  ],
  ["intra42-secret", ["s-s4t2ud-", "s-s4t2af-"], /[a-f0-9]{64}/, "42 API"],
];

export const SERVICE_TOKEN_RULES: readonly Rule[] = vendorRules(SERVICES);
