import {
  ERASABLE_FIELDS,
  type ErasableField,
  ErasureRecord,
} from '@decision-ledger/contract/erasure';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import { parseJson } from '@decision-ledger/proof/gate';
import { Check } from 'typebox/value';
import type { Queryable } from '../../platform/database.js';
import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { verifyActivity } from '../activity/index.js';
import { selectAnyErasure } from './store/select-any-erasure.js';
import { type ErasureRow, selectErasures } from './store/select-erasures.js';
import type { DecisionRecordRow } from './store/select-records.js';

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };

/**
 * What a whole chain of activity says of erased fields, for a walk over decisions. The chain is walked
 * once, and only where there is an erasure or a field is missing; again where a field went while the
 * decisions were walked. Only what it says of the decisions at hand is held.
 */
export class Erasures {
  /** Up to where the chain of activity was found whole; 0 where it is not, or nothing asked for it. */
  #verified = 0;
  #isAsked = false;
  /** Of the decisions at hand: the place of the record about each erased field. */
  #records = new Map<string, number>();

  constructor(
    private readonly db: Queryable,
    private readonly scope: Scope,
  ) {}

  /** Before decisions are read. @returns up to which record what was erased must be gone from them */
  async settle(): Promise<number> {
    if (!this.#isAsked && (await selectAnyErasure(this.db, this.scope))) await this.#walk();
    this.#isAsked = true;
    return this.#verified;
  }

  /** Reads what is said of decisions that were just read. */
  async load(rows: readonly DecisionRecordRow[]): Promise<void> {
    const lacking = rows.filter(isLacking);
    const asked = this.#verified > 0 ? rows : lacking;
    this.#records = new Map();
    if (asked.length === 0) return;
    const ids = asked.map(({ decision_id }) => uuidToId('dec', decision_id));
    const told = await selectErasures(this.db, this.scope, ids);
    const isNew = told.some(({ seq }) => seq > this.#verified);
    if (isNew && lacking.length > 0) await this.#walk();
    for (const row of told) if (row.seq <= this.#verified) this.#add(row);
  }

  isErased(decisionId: string, field: string): boolean {
    return this.#records.has(keyOf(decisionId, field));
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
    const { finding, head } = await verifyActivity(this.db, this.scope, WHOLE);
    this.#verified = finding === null ? head.seq : 0;
  }

  /** The first record about a field counts: another only follows where it was put back. */
  #add({ seq, subject, data }: ErasureRow): void {
    const value = data === null ? null : parseJson(parseDisclosure(data, 'data').value);
    if (!Check(ErasureRecord, value)) return;
    for (const field of value.fields) {
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
