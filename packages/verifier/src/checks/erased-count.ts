import type { Findings } from '../report/findings.js';
import { FIELDS } from './decision-record.js';
import type { Manifest } from './manifest.js';

export interface ErasedCount {
  /** Fields that are erased in the records of the file. */
  readonly erased: number;
  readonly records: number;
  /** Decisions of which something else was erased, as far as it can be known. */
  readonly others: number;
}

/**
 * Compares how many fields are erased with the manifest, which counts those of the whole run: the
 * decisions of the run that lie outside the range may have lost some too.
 */
export function checkErased(
  { erased, records, others }: ErasedCount,
  { decisions }: Manifest,
  { findings, file }: { readonly findings: Findings; readonly file: string },
): void {
  if (decisions === null) return;
  const { first, last, erasedFields } = decisions;
  const run = first === null || last === null ? 0 : last.seq - first.seq + 1;
  const most = erased + FIELDS.length * Math.max(0, Math.min(run - records, others));
  if (erased <= erasedFields && erasedFields <= most) return;
  const message = `${erased} fields are erased; the manifest says ${erasedFields}.`;
  findings.fail('integrity', { code: 'count_differs', file, message });
}
