import { PAYLOAD_FIELDS } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import type { Findings } from '../report/findings.js';

export interface ErasedCount {
  /** Number of erased fields in the records of the file. */
  readonly erased: number;
  readonly records: number;
  /** Maximum number of decisions outside the file that may have an erased field. */
  readonly others: number;
}

/**
 * Compares the number of erased fields with the manifest, which also counts those of decisions of the
 * run outside the range.
 */
export function checkErased(
  { erased, records, others }: ErasedCount,
  { decisions }: RecordsManifest,
  { findings, file }: { readonly findings: Findings; readonly file: string },
): void {
  const { first, last, erased_fields: erasedFields } = decisions;
  const run = first === null || last === null ? 0 : last.seq - first.seq + 1;
  const max = erased + PAYLOAD_FIELDS.length * Math.max(0, Math.min(run - records, others));
  if (erased <= erasedFields && erasedFields <= max) return;
  const message = `${erased} fields are erased; the manifest says ${erasedFields}.`;
  findings.fail('integrity', { code: 'count_differs', file, message });
}
