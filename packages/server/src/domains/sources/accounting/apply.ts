import { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { checker } from '@decision-ledger/contract/validation';
import { lockHead } from '../../../platform/chain/head.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { recordEvent, removeEvent } from '../../record/financial-events/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { carryLinks } from '../../record/links/index.js';
import type { SourceRecord } from './connectors/connector.js';
import { type RecordRow, selectSourceRecords, upsertRecord } from './store/records.js';

export interface FoundRecords {
  readonly connectionId: string;
  readonly records: readonly SourceRecord[];
  readonly isComplete: boolean;
}

/** Records per transaction, for whose lock other writers of the ledger wait. */
const STEP = 20;

const checkEvent = checker(FinancialEventBody, 'event');

/**
 * Records the result of a poll in short transactions. The event and the state of its record are
 * written together, so that a repeated poll changes nothing.
 */
export async function applyFound(
  ledger: Ledger,
  hooks: RecordHooks,
  actor: Actor,
  found: FoundRecords,
): Promise<void> {
  const { connectionId, records } = found;
  for (let start = 0; start < records.length; start += STEP) {
    const step = records.slice(start, start + STEP);
    const keys = step.map(({ key }) => key);
    const poll = { records: step, isComplete: false };
    await applyStep(ledger, hooks, actor, connectionId, keys, poll);
  }
  if (found.isComplete) await removeMissing(ledger, hooks, actor, found);
}

async function removeMissing(
  ledger: Ledger,
  hooks: RecordHooks,
  actor: Actor,
  { connectionId, records }: FoundRecords,
): Promise<void> {
  const present = new Set(records.map(({ key }) => key));
  const known = await selectSourceRecords(ledger, connectionId, null);
  const missing = known.filter((row) => !row.is_deleted && !present.has(row.record_key));
  for (let start = 0; start < missing.length; start += STEP) {
    const keys = missing.slice(start, start + STEP).map((row) => row.record_key);
    await applyStep(ledger, hooks, actor, connectionId, keys, { records: [], isComplete: true });
  }
}

/** @param keys keys of the records of this step */
async function applyStep(
  ledger: Ledger,
  hooks: RecordHooks,
  actor: Actor,
  connectionId: string,
  keys: readonly string[],
  poll: Pick<FoundRecords, 'records' | 'isComplete'>,
): Promise<void> {
  await ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    const rows = await selectSourceRecords(tx, connectionId, keys);
    const known = new Map(rows.map((row) => [row.record_key, row]));
    const states = new Map(
      rows.map((row) => [
        row.record_key,
        { fingerprint: row.fingerprint, isDeleted: row.is_deleted },
      ]),
    );
    const changes = planChanges(states, poll);
    for (const change of changes) {
      const row = await applyChange(tx, hooks, actor, { connectionId, change, known });
      await upsertRecord(tx, connectionId, row);
    }
  });
}

interface Applying {
  readonly connectionId: string;
  readonly change: PlannedChange<SourceRecord>;
  readonly known: ReadonlyMap<string, RecordRow>;
}

async function applyChange(
  tx: LedgerWriter,
  hooks: RecordHooks,
  actor: Actor,
  { connectionId, change, known }: Applying,
): Promise<RecordRow> {
  if (change.kind === 'remove') {
    const row = known.get(change.key);
    if (row === undefined) throw new Error(`${change.key} was never recorded`);
    await removeEvent(tx, hooks, actor, row.event_id);
    return { ...row, is_deleted: true };
  }
  const { key, fingerprint, event } = change.record;
  if (event === null) throw new Error(`${key} was deleted and cannot be recorded`);
  const former = change.kind === 'supersede' ? known.get(key)?.event_id : undefined;
  const body = checkEvent({ source: `accounting/${connectionId}`, ...event });
  const lineage = former === undefined ? {} : { supersedes: former };
  const { event_id } = await recordEvent(tx, hooks, actor, body, lineage);
  if (former !== undefined) await carryLinks(tx, hooks, actor, former, event_id);
  return { record_key: key, fingerprint, event_id, is_deleted: false };
}

/** The recorded state of a source's record. */
export interface Known {
  readonly fingerprint: string;
  readonly isDeleted: boolean;
}

/** The members of a record that the plan compares. */
interface Planned {
  readonly key: string;
  readonly fingerprint: string;
  readonly event: object | null;
}

/** `record`: new or restored; `supersede`: changed; `remove`: deleted. */
export type PlannedChange<Record extends Planned> =
  | { readonly kind: 'record' | 'supersede'; readonly record: Record }
  | { readonly kind: 'remove'; readonly key: string };

/**
 * The changes from the recorded state to the result of a poll. Of two records with one key, the last
 * counts. An unchanged record needs no change, so polls may overlap.
 * @param known recorded state by key
 */
export function planChanges<Record extends Planned>(
  known: ReadonlyMap<string, Known>,
  poll: { readonly records: readonly Record[]; readonly isComplete: boolean },
): PlannedChange<Record>[] {
  const found = new Map(poll.records.map((record) => [record.key, record]));
  const changes: PlannedChange<Record>[] = [];
  for (const record of found.values()) {
    const change = changeOf(known.get(record.key), record);
    if (change !== null) changes.push(change);
  }
  if (poll.isComplete) {
    for (const [key, { isDeleted }] of known) {
      if (!isDeleted && !found.has(key)) changes.push({ kind: 'remove', key });
    }
  }
  return changes;
}

function changeOf<Record extends Planned>(
  known: Known | undefined,
  record: Record,
): PlannedChange<Record> | null {
  const exists = known !== undefined && !known.isDeleted;
  if (record.event === null) return exists ? { kind: 'remove', key: record.key } : null;
  if (!exists) return { kind: 'record', record };
  return known.fingerprint === record.fingerprint ? null : { kind: 'supersede', record };
}
