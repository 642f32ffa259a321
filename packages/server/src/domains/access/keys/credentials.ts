import type { Principal } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { principalOfKey } from './principals.js';
import { isUsable } from './rules/key.js';
import { parseKey } from './rules/key-text.js';
import { selectKeysByHash } from './store/api-keys.js';

/** A stored credential. */
export interface FoundCredential {
  /** SHA-256 of its text, hexadecimal. */
  readonly hash: string;
  readonly principal: Principal;
  /** @param now ms */
  readonly isUsable: (now: number) => boolean;
}

/** A kind of credential: keys, or sessions. */
export interface CredentialKind {
  /** Whether the text has the format, checksum included. */
  isText(text: string): boolean;
  /** @param hashes SHA-256 of texts, hexadecimal */
  find(hashes: readonly string[]): Promise<readonly FoundCredential[]>;
}

export function keyCredentials(installation: Installation): CredentialKind {
  return {
    isText: (text) => parseKey(text) !== null,
    find: async (hashes) =>
      (await selectKeysByHash(installation, hashes)).map((row) => ({
        hash: row.key_hash.toString('hex'),
        principal: principalOfKey(row),
        isUsable: (now) => isUsable(row, now),
      })),
  };
}
