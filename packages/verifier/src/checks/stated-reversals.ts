import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { membersOf } from '@decision-ledger/proof/movement';
import {
  MOST_METADATA_BYTES,
  type ReversingReport,
  reversalsIn,
  type StatedReversal,
} from '@decision-ledger/proof/reversal';

/** What a recorded report says that it reverses. Metadata that are too large say nothing. */
export function statedReversals(report: ReversingReport, metadata: JsonValue): StatedReversal[] {
  const reversals = reversalsIn(report, membersOf(metadata));
  if (reversals.length === 0) return reversals;
  const { length } = new TextEncoder().encode(canonicalJson(metadata));
  return length <= MOST_METADATA_BYTES ? reversals : reversalsIn(report, {});
}
