import { formatTimestamp } from '@decision-ledger/contract/time';
import { MOVEMENT_TYPES } from '@decision-ledger/proof/activity-types';
import { leadOf } from '@decision-ledger/proof/movement';
import { lockHead } from '../../../platform/chain/head.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import type { RowComparison } from '../../../platform/projections/derived-rows.js';
import {
  type KeyRange,
  type Projection,
  rangesOf,
} from '../../../platform/projections/projection.js';
import {
  type ActivityChange,
  recordActivities,
  selectHistories,
} from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { applyMoney } from './recount.js';
import { selectEndOfEvents, selectEventIds } from './store/counted-amounts.js';
import { keepCounts } from './store/former-counts.js';
import {
  compareLeads,
  LEADS,
  type ReportRow,
  reconsider,
  selectReports,
  updateLeads,
} from './store/movements.js';

/** Why movements changed, as their records state it. */
export interface Regrouping {
  readonly actor: string;
  /** UUIDs of reports that get a record in any case. */
  readonly about?: readonly string[];
  /** Of the records of reports whose movement stays as it is. */
  readonly type?: 'movement.paired' | 'movement.parted';
  /** What the record of a report (UUID) says besides its movement. */
  because(eventId: string): Readonly<Record<string, string | { readonly [name: string]: string }>>;
}

/**
 * Makes movements of reports. Each report whose movement is another one than before gets a record that states all reports of
 * its movement, and which one leads it. The caller holds the lock on the activity of the ledger.
 * @param movements UUIDs of reports, with all those of the movements that they are taken from
 */
export async function regroup(
  tx: LedgerWriter,
  hooks: RecordHooks,
  movements: readonly (readonly string[])[],
  why: Regrouping,
): Promise<void> {
  const ids = movements.flat();
  const rows = await selectReports(tx, ids);
  if (rows.length !== ids.length) throw new Error('a movement is torn apart');
  const changed = movements.flatMap((movement) => changesOf(movement, rows, why));
  if (changed.length === 0) return;
  await recordActivities(
    tx,
    changed.map((change) => recordOf(change, why)),
  );
  // What suggestions record next does not say why the money changed.
  await keepCounts(tx, ids);
  await updateLeads(
    tx,
    changed.map(({ row, lead }) => ({ event_id: row.event_id, lead_id: lead })),
  );
  await hooks.movementsChanged(tx, {
    leads: [...new Set(changed.map(({ lead }) => lead))],
    witnesses: changed.flatMap(({ row, lead }) => (row.event_id === lead ? [] : [row.event_id])),
  });
  await applyMoney(
    tx,
    hooks,
    changed.map(({ row }) => row.event_id),
  );
}

/** A report whose movement changed. */
interface Changed {
  readonly row: ReportRow;
  readonly lead: string;
  /** Of its movement now. */
  readonly reports: readonly ReportRow[];
  readonly former: readonly ReportRow[];
}

function changesOf(
  movement: readonly string[],
  rows: readonly ReportRow[],
  { about = [] }: Regrouping,
): Changed[] {
  const members = new Set(movement);
  const reports = rows.filter(({ event_id }) => members.has(event_id));
  const lead = leadOf(reports.map((row) => ({ ...row, id: row.event_id }))).event_id;
  return reports.flatMap((row) => {
    const former = rows.filter(({ lead_id }) => lead_id === row.lead_id);
    const isSame =
      former.length === reports.length && former.every(({ event_id }) => members.has(event_id));
    if (isSame && !about.includes(row.event_id)) return [];
    return [{ row, lead, reports, former }];
  });
}

function recordOf({ row, lead, reports, former }: Changed, why: Regrouping): ActivityChange {
  const id = uuidToId('evt', row.event_id);
  const before = new Set(former.map(({ event_id }) => event_id));
  const isWithin = reports.every(({ event_id }) => before.has(event_id));
  const isParted = isWithin && reports.length < former.length;
  const isSame = isWithin && reports.length === former.length;
  const others = new Map([...former, ...reports].map((other) => [other.event_id, other]));
  others.delete(row.event_id);
  return {
    type: (isSame && why.type) || (isParted ? 'movement.parted' : 'movement.paired'),
    actor: why.actor,
    subject: id,
    when: {
      event: formatTimestamp(row.timestamp),
      others: [...others.values()].map(({ timestamp }) => formatTimestamp(timestamp)),
    },
    data: {
      reports: reports.map(({ event_id }) => uuidToId('evt', event_id)).sort(),
      lead: uuidToId('evt', lead),
      ...why.because(row.event_id),
    },
  };
}

/** An event that stops counting, and the one that takes its place; null for none. */
interface Leaving {
  /** UUIDs. */
  readonly eventId: string;
  readonly successor: string | null;
}

/** Takes a deleted event out of its movement. What people or rules said of it holds for its successor. */
export async function leaveMovement(
  tx: LedgerWriter,
  hooks: RecordHooks,
  actor: string,
  { eventId, successor }: Leaving,
): Promise<void> {
  const reports = await selectReports(tx, [eventId]);
  const rest = reports.flatMap(({ event_id }) => (event_id === eventId ? [] : [event_id]));
  if (rest.length === 0) return;
  const by = successor === null ? 'deletion' : 'supersession';
  const place = uuidToId('evt', eventId);
  await regroup(tx, hooks, [[eventId], successor === null ? rest : [...rest, successor]], {
    actor,
    because: (id) => (id === successor ? { by, supersedes: place } : { by }),
  });
  await reconsider(tx, rest);
}

/** Events that are compared together. */
const STEP = 250;

/** Which report leads each movement: it follows from the records of people's and rules' pairs. Nothing is paired anew. */
export const movementLeads: Projection = {
  name: 'movements',
  makes: ['financial_events.lead_id'],
  after: [],
  rows: LEADS,
  parts: (ledger) => rangesOf((after) => selectEndOfEvents(ledger, after, STEP), compare),
  lock: async (tx) => {
    await lockHead(tx, 'activity');
  },
};

async function compare(reader: LedgerReader, range: KeyRange<string>): Promise<RowComparison> {
  const eventIds = await selectEventIds(reader, range);
  const subjects = eventIds.map((eventId) => uuidToId('evt', eventId));
  const histories = await selectHistories(reader, subjects, MOVEMENT_TYPES);
  const made = eventIds.map((event_id) => {
    const last = histories.get(uuidToId('evt', event_id))?.at(-1)?.data.get('lead');
    const lead = last === undefined ? null : idToUuid('evt', last.slice(1, -1));
    return { event_id, lead_id: lead ?? event_id };
  });
  return compareLeads(reader, range, made);
}
