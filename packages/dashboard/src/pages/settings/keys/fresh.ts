import type { IssuedKey, Key } from '@decision-ledger/client/api/key';

/** A key that was just issued, in place of an old one if it was rotated. */
export interface Fresh {
  readonly issued: IssuedKey;
  readonly replaced: Key | null;
}
