import type { AlertNotice } from '@decision-ledger/contract/alert';
import { ReconciliationFinding } from '@decision-ledger/contract/reconciliation';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectFailedReconciliation } from './store/reconciliations.js';

const checkFinding = checker(ReconciliationFinding, 'finding');

/**
 * The notice of the last nightly comparison that found differences, if it was not reported before. Each
 * night that finds some is reported. Values are left out, because they may be personal data.
 * @param reportedAt when the last reported comparison ended, ms
 */
export async function findFailedReconciliation(
  tx: LedgerReader,
  reportedAt: number | undefined,
): Promise<{ readonly at: number; readonly notice: AlertNotice } | null> {
  const failed = await selectFailedReconciliation(tx, reportedAt ?? 0);
  if (failed === null) return null;
  const { finished_at, activity_seq, findings, first_finding } = failed;
  const { kind, table, key, column } = checkFinding(parseJson(first_finding));
  const data = { findings, activity_seq, first: { kind, table, key, column } };
  return { at: finished_at, notice: { type: 'reconciliation.failed', data } };
}
