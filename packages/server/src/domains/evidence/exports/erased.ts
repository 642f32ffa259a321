import { holdsRecords } from '@decision-ledger/proof/bundle/format';
import { idToUuid } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectDecisionsInRange } from '../../record/decisions/index.js';
import type { ExportRun } from './export-run.js';
import { selectErasedSince } from './store/chains.js';

/** Whether a running export may contain a field that was erased since it started. */
export async function mayContainErased(
  ledger: LedgerReader,
  { row, snapshot }: ExportRun,
): Promise<boolean> {
  return holdsRecords(row.export_type) && (await isErasedSince(ledger, snapshot, snapshot.since));
}

/**
 * Whether a field of a decision in a range was erased after a place in the chain of activity. The range
 * is in ms; the end is exclusive.
 */
export async function isErasedSince(
  ledger: LedgerReader,
  range: { readonly start: number; readonly end: number },
  since: number,
): Promise<boolean> {
  const erased = (await selectErasedSince(ledger, since))
    .map((decisionId) => idToUuid('dec', decisionId))
    .filter((uuid) => uuid !== null);
  const all = { start: range.start, end: range.end, lastSeq: Number.MAX_SAFE_INTEGER };
  return (await selectDecisionsInRange(ledger, all, erased)).length > 0;
}
