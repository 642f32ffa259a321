import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { RandomPool } from '../../../platform/random.js';
import { SecretBox } from '../../../platform/secrets.js';

/** An upload of a ledger: UUIDs. */
export interface UploadName {
  readonly ledgerId: string;
  readonly uploadId: string;
}

const KEY_BYTES = 32;

const nameOf = ({ ledgerId, uploadId }: UploadName): string => `upload/${ledgerId}/${uploadId}`;

/** Seals the chunks of one upload, each at its place. */
export interface ChunkSeal {
  seal(bytes: Uint8Array, start: number): Buffer;
  /** @throws SealError */
  open(sealed: Uint8Array, start: number): Buffer;
}

/** A new key, as it is stored. It outlives a change of the master key, as what it is sealed under does. */
export function makeSealedKey(keyring: Keyring, random: RandomPool, name: UploadName): Buffer {
  return new SecretBox(keyring.kept('uploads')).seal(random.bytes(KEY_BYTES), nameOf(name));
}

/** @throws SealError */
export function openChunkSeal(
  keyring: Keyring,
  name: UploadName,
  sealedKey: Uint8Array,
): ChunkSeal {
  const box = new SecretBox(new SecretBox(keyring.kept('uploads')).open(sealedKey, nameOf(name)));
  const placeOf = (start: number) => `${nameOf(name)}/${start}`;
  return {
    seal: (bytes, start) => box.seal(bytes, placeOf(start)),
    open: (sealed, start) => box.open(sealed, placeOf(start)),
  };
}
