/**
 * A throw-away TLS certificate for a name, made in this process: no key lies in the repository and no tool is needed.
 * Only what Node's TLS needs of X.509 v3 (RFC 5280) in DER (ITU-T X.690).
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface TestCertificate {
  key: string;
  cert: string;
}

/** A self-signed certificate, valid for one day. */
export function selfSigned(name: string): TestCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const subject = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
  const day = 86_400_000;
  const validity = sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day)));
  const alternativeName = sequence(der(0x82, Buffer.from(name)));
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])));
  const extensions = der(
    0xa3,
    sequence(
      sequence(oid("551d11"), der(0x04, alternativeName)),
      sequence(oid("551d13"), der(0x04, isAuthority)),
    ),
  );
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const body = sequence(
    version,
    serial,
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    extensions,
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const cert = sequence(body, ecdsaWithSha256, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function utcTime(time: Date): Buffer {
  return der(0x17, Buffer.from(`${time.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
}
