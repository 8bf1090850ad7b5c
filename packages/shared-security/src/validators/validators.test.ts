import fc from "fast-check";
import { stdnum } from "stdnum";
import { describe, expect, it } from "vitest";
import { isCnCompanyCode } from "./cn-company.ts";
import { isCnId, isOldCnId } from "./cn-id.ts";
import { isChineseName } from "./cn-name.ts";
import { entropy } from "./entropy.ts";
import { ipKind } from "./ip.ts";
import { isJwt } from "./jwt.ts";
import { luhn } from "./luhn.ts";
import { isIban } from "./mod97.ts";
import { isPlaceholder } from "./placeholder.ts";
import { randomness } from "./random.ts";
import { isUsSsn } from "./us-ssn.ts";

const digits = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length })
    .map((list) => list.join(""));

describe("luhn", () => {
  it("accepts exactly one check digit for any number", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 18 }).chain(digits), (body) => {
        expect(Array.from("0123456789").filter((check) => luhn(body + check))).toHaveLength(1);
      }),
    );
  });

  it.each(["4111111111111111", "378282246310005", "6228486419899013656"])("accepts %s", (card) =>
    expect(luhn(card)).toBe(true),
  );
  it.each(["", "0", "4111111111111112", "4111 1111"])("refuses %j", (card) => expect(luhn(card)).toBe(false));
});

describe("isIban", () => {
  it("agrees with stdnum on any single change of a valid number", () => {
    const valid = [
      "GB82WEST12345698765432",
      "DE89370400440532013000",
      "FR1420041010050500013M02606",
      "NO9386011117947",
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...valid),
        fc.nat(33),
        fc.constantFrom(..."0123456789ABCXYZ"),
        (iban, at, character) => {
          const index = at % iban.length;
          const changed = iban.slice(0, index) + character + iban.slice(index + 1);
          // stdnum also checks the national check digits of some countries; ISO 7064 alone is what ours promises.
          if (stdnum.GB === undefined) throw new Error("stdnum changed its exports");
          expect(isIban(iban)).toBe(true);
          expect(isIban(changed)).toBe(changed === iban || mod97(changed));
        },
      ),
    );
  });

  it.each(["DE89 3704 0044 0532 0130 00", "de89370400440532013000"])("accepts %s", (iban) =>
    expect(isIban(iban)).toBe(true),
  );
  it.each(["DE8937040044053201300", "XX89370400440532013000", ""])("refuses %j", (iban) =>
    expect(isIban(iban)).toBe(false),
  );
});

/** ISO 7064 MOD 97-10 by big integers: another way to the same remainder. */
function mod97(iban: string): boolean {
  if (!/^(?:GB|DE|FR|NO)\d\d[A-Z0-9]+$/.test(iban)) return false;
  const length = { GB: 22, DE: 22, FR: 27, NO: 15 }[iban.slice(0, 2)];
  if (iban.length !== length) return false;
  const number = Array.from(iban.slice(4) + iban.slice(0, 4), (character) =>
    Number.parseInt(character, 36),
  ).join("");
  return BigInt(number) % 97n === 1n;
}

describe("isCnId", () => {
  const date = fc.date({ min: new Date("1930-01-01"), max: new Date("2020-01-01"), noInvalidDate: true });
  const body = fc
    .tuple(fc.constantFrom("110105", "310101", "440305", "510104"), date, digits(3))
    .map(([region, day, serial]) => region + day.toISOString().slice(0, 10).replaceAll("-", "") + serial);

  it("agrees with stdnum for every check character", () => {
    fc.assert(
      fc.property(body, fc.constantFrom(..."0123456789X"), (number, check) => {
        expect(isCnId(number + check)).toBe(stdnum.CN?.ric?.validate(number + check).isValid);
      }),
    );
  });

  it.each(["990105194912310028", "110105194913310028", "11010519491231002", "110105299912310023"])(
    "refuses %s",
    (id) => expect(isCnId(id)).toBe(false),
  );

  it("knows the 15-digit form by province and date", () => {
    expect(isOldCnId("110105491231002")).toBe(true);
    expect(isOldCnId("110105491331002")).toBe(false);
    expect(isOldCnId("990105491231002")).toBe(false);
  });
});

describe("isCnCompanyCode", () => {
  const alphabet = "0123456789ABCDEFGHJKLMNPQRTUWXY";

  it("agrees with stdnum, and accepts exactly one check character", () => {
    const body = fc
      .array(fc.constantFrom(...alphabet), { minLength: 8, maxLength: 8 })
      .map((list) => `91110105M${list.join("")}`);
    fc.assert(
      fc.property(body, (code) => {
        const accepted = Array.from(alphabet).filter((check) => isCnCompanyCode(code + check));
        expect(accepted).toHaveLength(1);
        // A remainder of 0 gives the check character 0; stdnum 1.12 looks it up past the end of its alphabet.
        if (accepted[0] !== "0") expect(stdnum.CN?.uscc?.validate(code + accepted[0]).isValid).toBe(true);
      }),
    );
  });
});

describe("isUsSsn", () => {
  it.each(["054286917", "853371694", "900501234"])("accepts %s", (ssn) => expect(isUsSsn(ssn)).toBe(true));
  it.each(["000121234", "666121234", "123001234", "123120000", "900101234", "078051120", "12345678"])(
    "refuses %s",
    (ssn) => expect(isUsSsn(ssn)).toBe(false),
  );

  it("accepts no number that stdnum refuses", () => {
    fc.assert(
      fc.property(digits(9), (ssn) => {
        fc.pre(Number(ssn.slice(0, 3)) < 900);
        if (isUsSsn(ssn)) expect(stdnum.US?.ssn?.validate(ssn).isValid).toBe(true);
      }),
    );
  });
});

describe("ipKind", () => {
  it.each([
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["192.168.1.1", "private"],
    ["100.64.0.1", "private"],
    ["169.254.1.1", "private"],
    ["fd00::1", "private"],
    ["fe80::1", "private"],
    ["8.8.4.4", "public"],
    ["2400:3200::1", "public"],
    ["127.0.0.1", "special"],
    ["0.0.0.0", "special"],
    ["255.255.255.0", "special"],
    ["192.0.2.1", "special"],
    ["2001:db8::1", "special"],
    ["::1", "special"],
    ["256.1.1.1", undefined],
    ["1.2.3", undefined],
    ["010.1.2.3", undefined],
    ["a::b::c", undefined],
  ])("%s is %s", (address, kind) => expect(ipKind(address)).toBe(kind));
});

describe("isJwt", () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  it("wants a JOSE header", () => {
    expect(isJwt(`${part({ alg: "HS256" })}.${part({ sub: "1" })}.x`)).toBe(true);
    expect(isJwt(`${part({ no: "alg" })}.${part({ sub: "1" })}.x`)).toBe(false);
    expect(isJwt("eyJhbGci.x.y")).toBe(false);
    expect(isJwt("")).toBe(false);
  });
});

describe("entropy", () => {
  it("is 0 for one character, 1 for two in balance, and never more than log2 of the length", () => {
    expect(entropy("aaaa")).toBe(0);
    expect(entropy("abab")).toBe(1);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), (text) => {
        expect(entropy(text)).toBeLessThanOrEqual(Math.log2(text.length) + 1e-9);
      }),
    );
  });
});

describe("randomness", () => {
  it.each([
    "38bb7b318cc6898c80317decb34525844bc9db55",
    "p8e-ibndcvsmAp9ZgPBZ606FSlYIZVlsZ-g5",
    "550e8400-e29b-41d4-a716-446655440000",
    "aB3dE6gH9jK2mN5pQ8rS",
  ])("is high for %s", (value) => expect(randomness(value)).toBeGreaterThanOrEqual(0.85));

  it.each([
    "user.settings.theme",
    "my-secret-key-2024",
    "getElementsByTagName",
    "cloudflareAiGatewayApiKey",
    "claude-3-5-sonnet-20241022",
    "00000000-0000-0000-0000-000000000000",
    "components/index2.test.ts",
    "aaaaaaaaaaaaaaaaaaaaaaaa",
  ])("is low for %s", (value) => expect(randomness(value)).toBeLessThan(0.5));
});

describe("isPlaceholder", () => {
  it.each([
    "$TOKEN",
    `\${TOKEN}`,
    "{{token}}",
    "<token>",
    "%TOKEN%",
    "your-api-key",
    "xxxxxxxx",
    "********",
    "sk-...",
    "process.env.X",
    "changeme",
  ])("knows %s", (value) => expect(isPlaceholder(value)).toBe(true));
  it.each(["hunter2x", "Sx9_kkq2", "p4ssW0rd!"])("leaves %s", (value) =>
    expect(isPlaceholder(value)).toBe(false),
  );
});

describe("isChineseName", () => {
  it.each(["陈建国", "周杰", "欧阳明月", "诸葛青", "李强"])("accepts %s", (name) =>
    expect(isChineseName(name)).toBe(true),
  );
  it.each(["高度", "时间安排", "满意度", "方案", "他的", "张的", "Chen", "陈", "北京大学城"])(
    "refuses %s",
    (name) => expect(isChineseName(name)).toBe(false),
  );
});
