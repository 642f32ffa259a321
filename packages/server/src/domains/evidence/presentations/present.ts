import type { DecisionPresentation } from '@decision-ledger/contract/decision-view';
import { ERASABLE_FIELDS, type ErasableField } from '@decision-ledger/contract/erasure';
import { invalidFields, LedgerError, notFound } from '@decision-ledger/contract/errors';
import { readEntry } from '@decision-ledger/proof/entry';
import { sha256Hex } from '@decision-ledger/proof/hash';
import {
  PRESENTATION_FORMAT,
  type Presentation,
  presentationText,
} from '@decision-ledger/proof/presentation/format';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { lockHead } from '../../../platform/chain/head.js';
import type { Database } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordActivity } from '../../log/activity/index.js';
import { erasedFieldsIn } from '../../record/decisions/index.js';
import { type ProvenRecords, proveRecords } from '../transparency/index.js';
import {
  type ErasureEntryRow,
  type PresentableRow,
  selectErasureEntries,
  selectPresentable,
} from './store/records.js';

export interface PresentTools {
  readonly db: Database;
}

/** What is shown of a decision: chosen fields, and the erasures of those that are gone. */
interface Shown {
  readonly row: PresentableRow;
  readonly fields: readonly ErasableField[];
  readonly erasures: readonly ErasureEntryRow[];
}

/**
 * Makes the presentation of a decision with chosen fields, and records that in the activity chain. Nothing is
 * recorded while a record that it needs is not covered by a checkpoint.
 * @throws LedgerError `not_found`, `validation_error` for a field that the decision never had, `conflict` for a
 *   field that is empty without a recorded erasure
 */
export async function presentDecision(
  ledger: Ledger,
  { actor }: Actor,
  decisionId: string,
  fields: readonly ErasableField[],
): Promise<DecisionPresentation> {
  const uuid = idToUuid('dec', decisionId);
  return ledger.write(async (tx) => {
    // An erasure locks the same head: no field is disclosed that is being erased.
    await lockHead(tx, 'activity');
    const row = uuid === null ? null : await selectPresentable(tx, uuid);
    if (row === null) throw notFound('decision');
    const shown = await choose(tx, decisionId, row, fields);
    const decision = { decision_id: decisionId, seq: row.seq, hash: row.hash };
    const text = await compose(tx, shown);
    if (text === null) return { ...decision, status: 'pending', presentation: null };
    await recordActivity(tx, {
      type: 'presentation.made',
      actor,
      subject: decisionId,
      data: { fields: [...shown.fields], sha256: sha256Hex(text) },
    });
    return { ...decision, status: 'covered', presentation: text };
  });
}

async function choose(
  tx: LedgerReader,
  decisionId: string,
  row: PresentableRow,
  asked: readonly ErasableField[],
): Promise<Shown> {
  const entry = readEntry(row.entry);
  const recorded = new Set(Object.keys('commitments' in entry ? entry.commitments : {}));
  refuseUnknown(asked, recorded);
  const fields = ERASABLE_FIELDS.filter((field) => asked.includes(field));
  const gone = fields.filter((field) => row[field] === null);
  const records = gone.length === 0 ? [] : await selectErasureEntries(tx, decisionId);
  const erasures = records.filter(({ data }) =>
    erasedFieldsIn(data).some((field) => gone.includes(field)),
  );
  const explained = new Set(erasures.flatMap(({ data }) => erasedFieldsIn(data)));
  const lost = gone.filter((field) => !explained.has(field));
  if (lost.length === 0) return { row, fields, erasures };
  const message = `${lost.join(', ')}: missing without a recorded erasure; verify the chain of decisions`;
  throw new LedgerError('conflict', message);
}

function refuseUnknown(asked: readonly ErasableField[], recorded: ReadonlySet<string>): void {
  const unknown = asked.flatMap((field, index): [string, string[]][] =>
    recorded.has(field)
      ? []
      : [[`fields[${index}]`, [`names ${field}, which was not recorded for this decision`]]],
  );
  if (unknown.length > 0) throw invalidFields(Object.fromEntries(unknown));
}

/** @returns null until checkpoints cover the decision and its erasures */
async function compose(tx: LedgerReader, shown: Shown): Promise<string | null> {
  const { row, fields, erasures } = shown;
  const decision = await proveRecords(tx, 'decisions', [row.seq]);
  if (decision === null) return null;
  const seqs = erasures.map(({ seq }) => seq);
  const activity = seqs.length === 0 ? null : await proveRecords(tx, 'activity', seqs);
  if (seqs.length > 0 && activity === null) return null;
  const disclosures = Object.fromEntries(
    fields.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]])),
  );
  return presentationText({
    format: PRESENTATION_FORMAT,
    ...leafOf(row, decision, 0),
    ...logOf(decision),
    disclosures,
    erasures: activity && describeErasures(erasures, activity),
  });
}

function describeErasures(
  erasures: readonly ErasureEntryRow[],
  proven: ProvenRecords,
): Presentation['erasures'] {
  const records = erasures.map((erasure, at) => ({
    ...leafOf(erasure, proven, at),
    data: erasure.data,
  }));
  return { ...logOf(proven), records };
}

function logOf({ verifier_key, checkpoint }: ProvenRecords) {
  return { verifier_key, checkpoint };
}

/** @param at of the record among those that were proven */
function leafOf(
  { entry, seq }: { readonly entry: string; readonly seq: number },
  { paths }: ProvenRecords,
  at: number,
) {
  return { entry, index: seq - 1, path: (paths[at] ?? []).map(encodeBase64) };
}
