import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Text sealed with AES-256-GCM (NIST SP 800-38D): 96-bit random nonce, 128-bit tag, all base64url. */
export interface Sealed {
  alg: "A256GCM";
  iv: string;
  tag: string;
  data: string;
}

/** What went wrong with stored private data, without any of the data. */
export class VaultError extends Error {
  override name = "VaultError";
}

/**
 * Encrypt `text` with a 32-byte key.
 * @param context bound to the ciphertext (AAD), so that a row cannot be moved to another place unnoticed
 * @throws VaultError when the key is not 32 bytes long
 */
export function seal(key: Uint8Array, text: string, context: string): Sealed {
  checkKey(key);
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(context, "utf8"));
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    alg: "A256GCM",
    iv: iv.toString("base64url"),
    tag: cipher.getAuthTag().toString("base64url"),
    data: data.toString("base64url"),
  };
}

/**
 * Decrypt what `seal` made with the same key and context.
 * @throws VaultError when the key, the context or the data is not the one that was sealed
 */
export function unseal(key: Uint8Array, sealed: Sealed, context: string): string {
  checkKey(key);
  try {
    const tag = Buffer.from(sealed.tag, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(sealed.iv, "base64url"), {
      authTagLength: 16,
    });
    decipher.setAAD(Buffer.from(context, "utf8"));
    decipher.setAuthTag(tag);
    const data = Buffer.from(sealed.data, "base64url");
    return Buffer.concat([decipher.update(data), decipher.final()]).toString("utf8");
  } catch {
    throw new VaultError(
      `cannot decrypt ${context}: the key is not the one it was written with, or the data was changed. Put the original key file back, or move the data aside to start with an empty vault`,
    );
  }
}

function checkKey(key: Uint8Array): void {
  if (key.length !== 32) {
    throw new VaultError(
      `a vault key must be 32 bytes long, this one has ${key.length}: make one with crypto.randomBytes(32)`,
    );
  }
}
