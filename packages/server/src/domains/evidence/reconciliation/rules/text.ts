import type { ReconciliationFinding } from '@decision-ledger/contract/reconciliation';

/** One finding in words. */
export function findingText(finding: ReconciliationFinding): string {
  const { kind, table, key, column, expected, actual } = finding;
  const place = `${table} ${key}`;
  if (kind === 'missing_row') return `${kind}: ${place} is recorded, but the table lacks it`;
  if (kind === 'unexpected_row')
    return `${kind}: ${place} is in the table, but no record explains it`;
  return `${kind}: ${place} ${column ?? ''}: expected ${expected ?? 'nothing'}, found ${actual ?? 'nothing'}`;
}
