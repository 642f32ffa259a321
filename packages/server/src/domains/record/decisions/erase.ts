import {
  ERASABLE_FIELDS,
  type ErasableField,
  type Erasure,
  type ErasureBody,
  ErasureRecord,
} from '@decision-ledger/contract/erasure';
import { invalidFields, LedgerError, notFound } from '@decision-ledger/contract/errors';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { Check } from 'typebox/value';
import { lockHead } from '../../../platform/chain/head.js';
import type { Verification } from '../../../platform/chain/verify.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity, verifyActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { type DecisionRecordRow, type DecisionViewRow, selectDecision } from './store/decisions.js';
import { callErase, type ErasureRow, selectErasures, selectLastErasure } from './store/erasures.js';
import { callForget } from './store/metadata.js';

/**
 * Erases payload fields of a decision permanently: values, salts, and the query data derived from
 * them. The record in the chain of activity distinguishes an erasure from a loss. Fields that are
 * erased already are skipped and not recorded again.
 * @throws LedgerError `not_found`, `validation_error` for a field that the decision never had,
 *   `conflict` for a field that is empty without a recorded erasure
 */
export async function eraseFields(
  tx: LedgerWriter,
  hooks: RecordHooks,
  { actor }: Actor,
  decisionId: string,
  { fields, reason }: ErasureBody,
): Promise<Erasure> {
  const head = await lockHead(tx, 'activity');
  const uuid = idToUuid('dec', decisionId);
  const row = uuid === null ? null : await selectDecision(tx, uuid);
  if (row === null) throw notFound('decision');
  refuseUnknown(row, fields);
  await refuseUnrecorded(tx, row, fields);
  const decision_id = uuidToId('dec', row.decision_id);
  const fresh = ERASABLE_FIELDS.filter((field) => fields.includes(field) && row[field] !== null);
  const erased_fields = ERASABLE_FIELDS.filter(
    (field) => fresh.includes(field) || row.erased.includes(field),
  );
  if (fresh.length === 0) return { decision_id, erased_fields };
  await recordActivity(tx, {
    type: 'decision.field_erased',
    actor,
    subject: decision_id,
    data: { fields: fresh, reason },
  });
  await hooks.fieldsErased(tx, row.seq, async () => {
    await callErase(tx, row.decision_id);
    if (fresh.includes('metadata')) await callForget(tx, row.seq);
  });
  return { decision_id, erased_fields, activity_seq: head.seq + 1 };
}

/** A field without a value was either erased before or never recorded. */
function refuseUnknown(row: DecisionViewRow, fields: readonly ErasableField[]): void {
  const unknown = fields.flatMap((field, index): [string, string[]][] =>
    row[field] === null && !row.erased.includes(field)
      ? [[`fields[${index}]`, [`names ${field}, which was not recorded for this decision`]]]
      : [],
  );
  if (unknown.length > 0) throw invalidFields(Object.fromEntries(unknown));
}

/** A field lost without a record was not erased by the service: copies remain, and the chain is broken. */
async function refuseUnrecorded(
  tx: LedgerWriter,
  row: DecisionViewRow,
  fields: readonly ErasableField[],
): Promise<void> {
  const gone = row.erased.filter((field) => fields.includes(field));
  if (gone.length === 0) return;
  const records = await selectErasures(tx, [uuidToId('dec', row.decision_id)]);
  const recorded = new Set(records.flatMap(({ data }) => erasedFieldsIn(data)));
  const lost = gone.filter((field) => !recorded.has(field));
  if (lost.length === 0) return;
  throw new LedgerError(
    'conflict',
    `${lost.join(', ')}: missing without a recorded erasure; verify the chain of decisions`,
  );
}

const WHOLE = { range: { start: undefined, end: undefined }, anchor: null };

/**
 * Erasures in the chain of activity, for a walk over decisions. A missing field is accepted only if the
 * chain of activity is valid. A restored field is reported for any record of its erasure, valid chain
 * or not, so that a second alteration cannot hide the first. The chain is walked once, and only if a
 * field was erased or is missing; the walk continues if a field is erased while decisions are walked.
 * Only the records of the current decisions are kept in memory.
 */
export class Erasures {
  /** End of the verified part of the chain of activity; null if it is invalid or was not walked. */
  #walked: Verification['head'] | null = null;
  /** Seq of the last record about erased fields when the walk began, valid chain or not. */
  #last: number | undefined;
  /** For the current decisions: seq of the record about each erased field. */
  #records = new Map<string, number>();

  constructor(private readonly ledger: LedgerReader) {}

  /**
   * Call before decisions are read.
   * @returns seq of the last record whose erased fields must be missing from them
   */
  async settle(): Promise<number> {
    if (this.#last === undefined) {
      this.#last = await selectLastErasure(this.ledger);
      if (this.#last > 0) await this.#walk();
    }
    return Math.max(this.#verified, this.#last);
  }

  /** Loads the erasures of decisions that were just read. */
  async load(rows: readonly DecisionRecordRow[], settled: number): Promise<void> {
    const lacking = rows.filter(isLacking);
    const asked = settled > 0 ? rows : lacking;
    const ids = asked.map(({ decision_id }) => uuidToId('dec', decision_id));
    await this.#load(ids, lacking.length > 0);
  }

  /** Whether the payloads that are missing from decisions just read are exactly those known to be erased. */
  async explain({ ids, lacking }: Lacking, settled: number): Promise<boolean> {
    const asked = settled > 0 ? ids : lacking.map(([id]) => id);
    await this.#load(asked, lacking.length > 0);
    const missing = new Set(lacking.map(([id, field]) => keyOf(id, field)));
    return (
      lacking.every(([id, field]) => this.isErased(id, field)) &&
      [...this.#records].every(([key, seq]) => seq > settled || missing.has(key))
    );
  }

  async #load(ids: readonly string[], isLacking: boolean): Promise<void> {
    this.#records = new Map();
    if (ids.length === 0) return;
    const erasures = await selectErasures(this.ledger, ids);
    const isNew = erasures.some(({ seq }) => seq > this.#verified);
    if (isNew && isLacking) await this.#walk();
    for (const row of erasures) this.#add(row);
  }

  isErased(decisionId: string, field: string): boolean {
    const seq = this.#records.get(keyOf(decisionId, field));
    return seq !== undefined && seq <= this.#verified;
  }

  /** A field that has a value although a record up to `settled` says that it was erased. */
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
    const { finding, head } = await verifyActivity(this.ledger, request);
    this.#walked = finding === null ? head : null;
  }

  get #verified(): number {
    return this.#walked?.seq ?? 0;
  }

  /** The first record about a field counts: a second one exists only if the field was restored. */
  #add({ seq, subject, data }: ErasureRow): void {
    for (const field of erasedFieldsIn(data)) {
      const key = keyOf(subject, field);
      this.#records.set(key, Math.min(seq, this.#records.get(key) ?? seq));
    }
  }
}

/** Decisions that were read, and those of their payloads that are committed to but missing. */
export interface Lacking {
  readonly ids: readonly string[];
  readonly lacking: readonly (readonly [id: string, field: ErasableField])[];
}

const keyOf = (decisionId: string, field: string) => `${decisionId} ${field}`;

/** In an entry this text can only be a member name: inside a value its quotes would be escaped. */
function isLacking(row: DecisionRecordRow): boolean {
  return ERASABLE_FIELDS.some((field) => row[field] === null && row.entry.includes(`"${field}":"`));
}

/**
 * The erased fields that a `decision.field_erased` record names; none if its data are unreadable, as in
 * a forged record.
 * @param data disclosure, not yet verified
 */
export function erasedFieldsIn(data: string | null): readonly ErasableField[] {
  const value = legibleValue(data, 'data');
  return Check(ErasureRecord, value) ? value.fields : [];
}
