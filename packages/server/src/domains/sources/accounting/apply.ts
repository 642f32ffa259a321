import { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { checker } from '@decision-ledger/contract/validation';
import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { prepareEvent, recordEvent, removeEvent } from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { carryLinks } from '../../record/links/index.js';
import type { KnownRecord } from './rules/match.js';
import type { Change, Creation, Plan } from './rules/plan.js';
import type { SourceRecord } from './rules/source-record.js';
import {
  type RecordRow,
  selectSourceRecords,
  updateRecord,
  upsertRecord,
} from './store/records.js';

/** Records per transaction, for whose lock other writers of the ledger wait. */
const STEP = 20;

const checkEvent = checker(FinancialEventBody, 'event');

/** The body of the event of a record. @throws LedgerError `validation_error` */
export function bodyOf(connectionId: string, { name, event }: SourceRecord): FinancialEventBody {
  if (event === null) throw new Error(`${name} was deleted and cannot be recorded`);
  const body = checkEvent({ source: `accounting/${connectionId}`, ...event });
  prepareEvent(body);
  return body;
}

type Operation =
  | ({ readonly kind: 'create' } & Creation)
  | ({ readonly kind: 'change' | 'revive' } & Change)
  | { readonly kind: 'remove'; readonly key: string; readonly former: KnownRecord };

export interface Applying {
  readonly connectionId: string;
  readonly hooks: RecordHooks;
  readonly actor: Actor;
}

/**
 * Applies a plan in short transactions. Each writes events together with the state of their records, and skips records that
 * changed after the plan was made.
 */
export async function applyPlan(
  ledger: Ledger,
  applying: Applying,
  plan: Pick<Plan, 'created' | 'changed' | 'revived' | 'gone'>,
): Promise<void> {
  const operations: Operation[] = [
    ...plan.created.map((one) => ({ kind: 'create', ...one }) as const),
    ...plan.revived.map((one) => ({ kind: 'revive', ...one }) as const),
    ...plan.changed.map((one) => ({ kind: 'change', ...one }) as const),
    ...plan.gone.map((former) => ({ kind: 'remove', key: former.key, former }) as const),
  ];
  for (let start = 0; start < operations.length; start += STEP) {
    const step = operations.slice(start, start + STEP);
    await ledger.write((tx) => applyStep(tx, applying, step));
  }
}

async function applyStep(
  tx: LedgerWriter,
  applying: Applying,
  step: readonly Operation[],
): Promise<void> {
  await lockHead(tx, 'activity');
  const keys = step.map((one) => (one.kind === 'create' ? one.key : one.former.key));
  const rows = await selectSourceRecords(tx, applying.connectionId, keys);
  const present = new Map(rows.map((row) => [row.record_key, row]));
  for (const [index, operation] of step.entries()) {
    const row = present.get(keys[index] ?? '');
    if (isDue(operation, row)) await apply(tx, applying, operation);
  }
}

/** Whether the record is as it was when the plan was made. */
function isDue(operation: Operation, row: RecordRow | undefined): boolean {
  if (operation.kind === 'create') return row === undefined;
  const { former } = operation;
  return (
    row !== undefined &&
    row.event_id === former.eventId &&
    row.fingerprint === former.fingerprint &&
    row.is_deleted === former.isDeleted
  );
}

async function apply(
  tx: LedgerWriter,
  { connectionId, hooks, actor }: Applying,
  operation: Operation,
): Promise<void> {
  if (operation.kind === 'remove') {
    const { key, eventId, fingerprint } = operation.former;
    await removeEvent(tx, hooks, actor, eventId);
    const row = { record_key: key, fingerprint, event_id: eventId, is_deleted: true };
    await updateRecord(tx, connectionId, key, row);
    return;
  }
  const { key, record } = operation;
  const former = operation.kind === 'create' ? null : operation.former;
  const lineage = former === null ? {} : { supersedes: former.eventId };
  const body = bodyOf(connectionId, record);
  const { event_id } = await recordEvent(tx, hooks, actor, body, lineage);
  const row = { record_key: key, fingerprint: record.fingerprint, event_id, is_deleted: false };
  if (former === null) await upsertRecord(tx, connectionId, row);
  else {
    await carryLinks(tx, hooks, actor, former.eventId, event_id);
    await updateRecord(tx, connectionId, former.key, row);
  }
}
