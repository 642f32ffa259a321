import { findingText } from '../reconciliation/index.js';
import type { ExportRun } from './export-run.js';

/** The tables differ from the activity chain; the message names the first difference and the remedy. */
export class ReconciliationError extends Error {
  override readonly name = 'ReconciliationError';
}

/**
 * Refuses to sign what the activity chain does not bear out. A bundle of a broken chain says so itself.
 * @throws ReconciliationError
 */
export async function requireReconciled({ ledger, reconcile }: ExportRun): Promise<void> {
  const { findings, findings_count } = await reconcile(ledger.scope);
  const [first] = findings;
  if (first === undefined) return;
  const more = findings_count > 1 ? `, and ${findings_count - 1} more` : '';
  throw differsFromChain(findingText(first) + more);
}

/** @param difference between the tables and the activity chain */
export function differsFromChain(difference: string): ReconciliationError {
  return new ReconciliationError(
    `the tables differ from the activity chain (${difference}): run \`decision-ledger verify\`, restore ` +
      'the tables from a backup, and request the export again',
  );
}
