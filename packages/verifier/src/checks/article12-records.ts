import type { RecordsManifest, RunStart } from '@decision-ledger/proof/bundle/manifest';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { VerdictName } from '../report/report.js';
import { type Article12, erasedIn, problemsOf } from './article12.js';
import { FUTURE_MS } from './clock.js';
import { isInRange } from './entries.js';
import { Order } from './order.js';

/** The members of a record that are compared with other records. */
export interface Record12 extends RunStart {
  readonly timestamp: string;
  readonly created_at: string;
}

/** Checks the records of article12.json one by one, and keeps what later checks compare. */
export class Article12Records {
  /** Number of erased fields in the records. */
  erased = 0;
  readonly #records: Record12[] = [];
  readonly #order = new Order<number>();
  readonly #manifest: RecordsManifest;
  readonly #findings: Findings;

  constructor(manifest: RecordsManifest, findings: Findings) {
    this.#manifest = manifest;
    this.#findings = findings;
  }

  bySeq(): readonly Record12[] {
    return [...this.#records].sort((a, b) => a.seq - b.seq);
  }

  /** @param due epoch of the genesis; null if unknown */
  check(record: Article12, due: number | null): void {
    const { hash, epoch, columns } = record;
    const { seq, prev_hash, timestamp, created_at } = columns;
    this.#records.push({ seq, hash, prev_hash, timestamp, created_at });
    this.erased += erasedIn(record).length;
    if (epoch !== (due ?? epoch)) {
      this.#fail('entry_foreign', `The record belongs to epoch ${epoch}.`, record);
    }
    if (!this.#order.follows(timestamp, seq)) {
      const message = 'The record is not in the position of its timestamp and seq.';
      this.#fail('record_order', message, record);
    }
    if (!isInRange(this.#manifest, timestamp)) {
      const message = `The record is dated ${timestamp}, which is not in the range.`;
      this.#fail('decision_outside', message, record, 'completeness');
    }
    if (Date.parse(timestamp) > Date.parse(created_at) + FUTURE_MS) {
      const message = `The decision is dated ${timestamp}, but was recorded at ${created_at}.`;
      this.#fail('time_ahead', message, record, 'time');
    }
    for (const { code, message } of problemsOf(record, this.#manifest.ledger)) {
      this.#fail(code, message, record);
    }
  }

  #fail(
    code: FindingCode,
    message: string,
    { columns }: Article12,
    verdict: VerdictName = 'integrity',
  ): void {
    const { seq, decision_id: id } = columns;
    this.#findings.fail(verdict, { code, file: 'article12.json', seq, id, message });
  }
}
