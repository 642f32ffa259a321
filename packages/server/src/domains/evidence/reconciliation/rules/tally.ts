import type { Reconciliation, ReconciliationFinding } from '@decision-ledger/contract/chain';

/** Findings that are listed; the others are counted. */
const MAX_FINDINGS = 100;

/** The results of a comparison while it runs: bounded, whatever is found. */
export class ReconciliationTally {
  readonly #onRows: (rows: number) => void;
  #rows = 0;
  #count = 0;
  readonly #findings: ReconciliationFinding[] = [];
  readonly #unproven = new Map<string, { table: string; column: string; rows: number }>();
  readonly #skipped = new Map<string, { table: string; rows: number; reason: string }>();

  /** @param onRows called with the number of rows compared so far */
  constructor(onRows: (rows: number) => void = () => undefined) {
    this.#onRows = onRows;
  }

  add(finding: ReconciliationFinding): void {
    this.#count += 1;
    if (this.#findings.length < MAX_FINDINGS) this.#findings.push(finding);
  }

  checked(rows: number): void {
    this.#rows += rows;
    this.#onRows(this.#rows);
  }

  unproven(table: string, column: string, rows = 1): void {
    if (rows === 0) return;
    const known = this.#unproven.get(`${table}.${column}`) ?? { table, column, rows: 0 };
    known.rows += rows;
    this.#unproven.set(`${table}.${column}`, known);
  }

  skip(table: string, reason: string, rows = 1): void {
    const known = this.#skipped.get(`${table} ${reason}`) ?? { table, rows: 0, reason };
    known.rows += rows;
    this.#skipped.set(`${table} ${reason}`, known);
  }

  result(activitySeq: number): Reconciliation {
    return {
      is_reconciled: this.#count === 0,
      activity_seq: activitySeq,
      rows_checked: this.#rows,
      findings_count: this.#count,
      findings: [...this.#findings],
      unproven: [...this.#unproven.values()],
      skipped: [...this.#skipped.values()],
    };
  }
}

/** One finding in words. */
export function findingText(finding: ReconciliationFinding): string {
  const { kind, table, key, column, expected, actual } = finding;
  const place = `${table} ${key}`;
  if (kind === 'missing_row') return `${kind}: ${place} is recorded, but the table lacks it`;
  if (kind === 'unexpected_row')
    return `${kind}: ${place} is in the table, but no record explains it`;
  return `${kind}: ${place} ${column ?? ''}: expected ${expected ?? 'nothing'}, found ${actual ?? 'nothing'}`;
}
