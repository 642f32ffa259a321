import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';

/** A text as long as an identifier with a prefix or two. */
const SHORT = 80;

/** A value in little memory: its canonical text, or the hash of that where it is long. */
export function brief(value: JsonValue): string {
  const text = canonicalJson(value);
  return text.length <= SHORT ? text : `sha256:${sha256Hex(text)}`;
}
