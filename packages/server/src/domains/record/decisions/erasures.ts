import { ERASABLE_FIELDS, type ErasableField } from '@decision-ledger/contract/erasure';
import type { Verification } from '../../../platform/chain/verify.js';
import type { Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { verifyActivity } from '../../log/activity/index.js';
import { erasedFieldsIn } from './rules/erasure-record.js';
import type { DecisionRecordRow } from './store/decisions.js';
import { type ErasureRow, selectErasures, selectLastErasure } from './store/erasures.js';

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };

/**
 * What the chain of activity says of erased fields, for a walk over decisions. A missing field is only
 * excused by a chain that is whole; a field that is there again is found by any record of its erasure,
 * so that no second alteration hides the first. The chain is walked once, and only where there is an
 * erasure or a field is missing; on from there where a field went while the decisions were walked. Only
 * what it says of the decisions at hand is held.
 */
export class Erasures {
  /** Up to where the chain of activity was found whole; null where it is not, or nothing asked for it. */
  #walked: Verification['head'] | null = null;
  /** Place of the last record about erased fields when the walk began, whole chain or not. */
  #last: number | undefined;
  /** Of the decisions at hand: the place of the record about each erased field. */
  #records = new Map<string, number>();

  constructor(
    private readonly db: Queryable,
    private readonly scope: Scope,
  ) {}

  /** Before decisions are read. @returns up to which record what was erased must be gone from them */
  async settle(): Promise<number> {
    if (this.#last === undefined) {
      this.#last = await selectLastErasure(this.db, this.scope);
      if (this.#last > 0) await this.#walk();
    }
    return Math.max(this.#verified, this.#last);
  }

  /** Reads what is said of decisions that were just read. */
  async load(rows: readonly DecisionRecordRow[], settled: number): Promise<void> {
    const lacking = rows.filter(isLacking);
    const asked = settled > 0 ? rows : lacking;
    this.#records = new Map();
    if (asked.length === 0) return;
    const ids = asked.map(({ decision_id }) => uuidToId('dec', decision_id));
    const told = await selectErasures(this.db, this.scope, ids);
    const isNew = told.some(({ seq }) => seq > this.#verified);
    if (isNew && lacking.length > 0) await this.#walk();
    for (const row of told) this.#add(row);
  }

  isErased(decisionId: string, field: string): boolean {
    const seq = this.#records.get(keyOf(decisionId, field));
    return seq !== undefined && seq <= this.#verified;
  }

  /** A field that is there although a record up to `settled` says that it was erased. */
  restored(row: DecisionRecordRow, settled: number): ErasableField | undefined {
    if (this.#records.size === 0) return undefined;
    const id = uuidToId('dec', row.decision_id);
    return ERASABLE_FIELDS.find((field) => {
      const seq = this.#records.get(keyOf(id, field));
      return seq !== undefined && seq <= settled && row[field] !== null;
    });
  }

  async #walk(): Promise<void> {
    const walked = this.#walked ?? undefined;
    const request = { ...WHOLE, ...(walked && { walked }) };
    const { finding, head } = await verifyActivity(this.db, this.scope, request);
    this.#walked = finding === null ? head : null;
  }

  get #verified(): number {
    return this.#walked?.seq ?? 0;
  }

  /** The first record about a field counts: another only follows where it was put back. */
  #add({ seq, subject, data }: ErasureRow): void {
    for (const field of erasedFieldsIn(data)) {
      const key = keyOf(subject, field);
      this.#records.set(key, Math.min(seq, this.#records.get(key) ?? seq));
    }
  }
}

const keyOf = (decisionId: string, field: string) => `${decisionId} ${field}`;

/** Only as the name of a member can such a text stand in an entry. */
function isLacking(row: DecisionRecordRow): boolean {
  return ERASABLE_FIELDS.some((field) => row[field] === null && row.entry.includes(`"${field}":"`));
}
