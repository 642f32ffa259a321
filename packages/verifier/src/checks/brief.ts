import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';

/** In characters; longer than an identifier with its prefix. */
const SHORT = 80;

/** The canonical text of a value, or its hash if it is long, to save memory. */
export function brief(value: JsonValue): string {
  const text = canonicalJson(value);
  return text.length <= SHORT ? text : `sha256:${sha256Hex(text)}`;
}
