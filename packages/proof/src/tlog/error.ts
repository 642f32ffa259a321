/**
 * What is wrong with a text or a proof of a transparency log:
 *
 * | Code | Meaning |
 * | --- | --- |
 * | `range_invalid` | a size, an index or a range that no tree has |
 * | `hash_invalid` | a hash that is not 32 bytes |
 * | `proof_length` | more or fewer hashes than a proof of these sizes has |
 * | `root_mismatch` | the hashes do not lead to the root |
 * | `text_invalid` | a text that does not have its format; the message says where |
 * | `text_oversized` | a text beyond its limit |
 * | `key_invalid` | a verifier key that does not have its format, or whose id is wrong |
 * | `key_unsupported` | a verifier key of another algorithm than Ed25519 |
 * | `signature_missing` | no signature by a known key |
 * | `signature_invalid` | a signature by a known key that does not verify |
 * | `origin_mismatch` | a checkpoint of another log |
 */
export type TlogErrorCode =
  | 'range_invalid'
  | 'hash_invalid'
  | 'proof_length'
  | 'root_mismatch'
  | 'text_invalid'
  | 'text_oversized'
  | 'key_invalid'
  | 'key_unsupported'
  | 'signature_missing'
  | 'signature_invalid'
  | 'origin_mismatch';

/**
 * A text or a proof of a transparency log was refused; `code` says why.
 *
 * @example
 * ```ts
 * import { TlogError } from '@decision-ledger/proof/tlog/error';
 * import { parseCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
 *
 * function problemOf(text: string) {
 *   try {
 *     return parseCheckpoint(text) && null;
 *   } catch (error) {
 *     return error instanceof TlogError ? error.code : null;
 *   }
 * }
 * problemOf('example.com/log\n01\n'); // => 'text_invalid'
 * ```
 */
export class TlogError extends Error {
  readonly code: TlogErrorCode;

  constructor(code: TlogErrorCode, message: string) {
    super(message);
    this.name = 'TlogError';
    this.code = code;
  }
}
