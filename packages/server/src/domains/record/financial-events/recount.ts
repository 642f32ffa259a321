import type { MoneySignSettings } from '@decision-ledger/contract/money-signs';
import { parseJson } from '@decision-ledger/proof/gate';
import { transactionIn } from '@decision-ledger/proof/movement';
import { lockHead } from '../../../platform/chain/head.js';
import { noteProgress, selectDueFailures } from '../../../platform/followers/due-work.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { RECOUNTS, readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { type Counting, countReport, readMetadata, taxSaid } from '../money-signs/index.js';
import {
  type CountedRow,
  type SignedRow,
  selectSigned,
  updateCounted,
} from './store/counted-amounts.js';
import { selectLiveIds } from './store/financial-events.js';
import { keepCounts } from './store/former-counts.js';
import { reconsider, selectReports } from './store/movements.js';

/** Events per transaction. Changes of the ledger's links and events wait for its lock. */
const STEP = 250;

/**
 * Gives all live events of a ledger the sign that follows from its changed settings, has their movements compared again, and
 * lets those wait to be scored whose suggestions need another link type.
 */
export function recounts(hooks: RecordHooks): DueFollower {
  return {
    name: RECOUNTS,
    kind: 'recorder',
    subjects: 'led',
    owns: [],
    step: 1,
    lane: 'long',
    advance: async (_ledger, { due: [ours] }) => ({
      lock: (tx) => lockHead(tx, 'activity'),
      async write(tx, ids) {
        const last = await recountStep(tx, hooks, ours?.progress ?? null);
        if (last === null) return ids;
        await noteProgress(tx, RECOUNTS, tx.ledgerId, last);
        return [];
      },
    }),
  };
}

/** Whether some events of a ledger do not count yet as its settings say, also if the recount failed. */
export async function isRecountPending(ledger: LedgerReader): Promise<boolean> {
  return (await selectDueFailures(ledger, RECOUNTS, ledger.ledgerId)) !== null;
}

/** Whether a recount goes on. What one that failed left is a fault like any other. */
export async function isRecounting(ledger: LedgerReader): Promise<boolean> {
  return (await selectDueFailures(ledger, RECOUNTS, ledger.ledgerId)) === 0;
}

/**
 * @param after the last event (UUID) of the step before
 * @returns the last event of the step; null if it is the last step
 */
async function recountStep(
  tx: LedgerWriter,
  hooks: RecordHooks,
  after: string | null,
): Promise<string | null> {
  const eventIds = await selectLiveIds(tx, after, STEP);
  const rows = await countEvents(tx, eventIds);
  const changed = rows.map(({ event_id }) => event_id);
  // Pairs and doubts follow from the settings too, also those of events that count as before.
  await reconsider(tx, eventIds);
  if (changed.length > 0) {
    // Sums are cached for each head of this chain.
    await recordActivity(tx, {
      type: 'financial_event.recounted',
      actor: 'settings',
      subject: uuidToId('led', tx.ledgerId),
      data: { financial_event_ids: changed.map((eventId) => uuidToId('evt', eventId)) },
    });
    await keepCounts(tx, changed);
    await updateCounted(tx, rows);
    await hooks.moneyChanged(tx, changed);
  }
  if (eventIds.length > 0) await hooks.signsApplied(tx, eventIds);
  return eventIds.length < STEP ? null : (eventIds.at(-1) ?? null);
}

/**
 * Updates the counted amounts of events after the links of their movements changed, and all that follows from both, in the
 * same transaction. The caller holds the lock on the activity of the ledger, and has recorded the change.
 * @param eventIds UUIDs
 */
export async function updateMoney(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  const reports = await selectReports(tx, eventIds);
  const all = [...new Set([...eventIds, ...reports.map(({ event_id }) => event_id)])];
  await keepCounts(tx, all);
  await applyMoney(tx, hooks, all);
}

/** The same for events that are all reports of their movements, after what they counted with was kept. */
export async function applyMoney(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventIds: readonly string[],
): Promise<void> {
  await updateCounted(tx, await countEvents(tx, eventIds));
  await hooks.moneyChanged(tx, eventIds);
  await hooks.causesChanged(tx, eventIds);
}

/** What a stored report counts with. */
export function countRow(signs: MoneySignSettings, row: SignedRow): Counting {
  const stating = row.stating.map((report) => ({
    ...report,
    transaction: transactionIn(report, parseJson(report.metadata)),
  }));
  const tax = taxSaid({ ...row, id: row.event_id }, stating);
  const witnesses = row.witnesses.map((one) => ({ ...one, metadata: readMetadata(one.metadata) }));
  const said = { human: row.human, isWitness: row.is_witness, tax, witnesses };
  return countReport(signs, { ...row, metadata: readMetadata(row.metadata) }, said);
}

/** Whether an event counts already as it should; amounts as decimal texts. */
export function isCountedAs(row: Omit<CountedRow, 'event_id'>, counting: Counting): boolean {
  return (
    row.kind === counting.kind &&
    row.standing === counting.standing &&
    row.counted_amount === counting.counted_amount &&
    row.uncounted_amount === counting.uncounted_amount &&
    row.may_include_tax === counting.may_include_tax
  );
}

/**
 * What events count with by their links and the settings. The caller holds the lock on the activity of the ledger, so that the
 * settings cannot change in between.
 * @param eventIds UUIDs
 * @returns those that count otherwise than before
 */
async function countEvents(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<readonly CountedRow[]> {
  const rows = await selectSigned(tx, eventIds);
  if (rows.length === 0) return [];
  const { attribution } = await readSettings(tx);
  return rows.flatMap((row) => {
    const counting = countRow(attribution, row);
    return isCountedAs(row, counting) ? [] : [{ event_id: row.event_id, ...counting }];
  });
}
