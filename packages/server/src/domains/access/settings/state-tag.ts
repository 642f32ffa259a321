import { LedgerError } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { sha256Hex } from '@decision-ledger/proof/hash';

/** 128 bits. */
const TAG_DIGITS = 32;

/** Identifies settings as they are answered. A mask differs with its secret, and so does the tag. */
export function stateTag(settings: Settings): string {
  return sha256Hex(canonicalJson(settings)).slice(0, TAG_DIGITS);
}

/**
 * Refuses a change that was made for other settings.
 * @param expected tags of the settings that the caller has seen
 * @throws LedgerError `precondition_failed`
 */
export function expectState(expected: readonly string[], settings: Settings): void {
  const tag = stateTag(settings);
  if (expected.includes(tag)) return;
  throw new LedgerError(
    'precondition_failed',
    'the settings changed after you read them: get them again with GET /settings, and send the ' +
      'change with the new ETag if it still applies',
    { headers: { etag: `"${tag}"` } },
  );
}
