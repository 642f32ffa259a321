import { KEPT, Keyring, masterKeyOf } from '#server/platform/keyring/keyring';
import { deriveKey } from '#server/platform/secrets';

export const keyBytes = (fill: number): Buffer => Buffer.alloc(32, fill);
export const keyText = (fill: number): string => keyBytes(fill).toString('base64');
export const keyId = (fill: number): string => masterKeyOf(keyBytes(fill)).id;

/** A keyring that was never compared with a database: keys of one repeated byte, newest first. */
export function ringOf(...fills: readonly [number, ...number[]]): Keyring {
  const keyring = new Keyring(fills.map(keyBytes));
  const [newest] = fills;
  const kept = KEPT.map((purpose) => [purpose, deriveKey(keyBytes(newest), purpose)] as const);
  keyring.adopt(keyId(newest), new Map(kept));
  return keyring;
}
