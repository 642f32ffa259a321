import {
  ERASABLE_FIELDS,
  type ErasableField,
  type Erasure,
  type ErasureBody,
} from '@decision-ledger/contract/erasure';
import { invalidFields, LedgerError, notFound } from '@decision-ledger/contract/errors';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { erasedFieldsIn } from './erasures.js';
import { type DecisionViewRow, selectDecision } from './store/decisions.js';
import { callErase, selectErasures } from './store/erasures.js';
import { callForget } from './store/experiment-assignments.js';

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
