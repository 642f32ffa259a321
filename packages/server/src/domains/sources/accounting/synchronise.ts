import type { WithheldPlan } from '@decision-ledger/contract/accounting';
import { LedgerError } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { applyPlan, bodyOf } from './apply.js';
import { describeProblem } from './connectors/take-event.js';
import { judgePlan } from './rules/brake.js';
import { type Found, type KnownRecord, matchRecords } from './rules/match.js';
import { makePlan, type Plan } from './rules/plan.js';
import type { SourceRecord, Traits } from './rules/source-record.js';
import { marksOf, type Proposal, SHOWN } from './rules/withhold.js';
import {
  type MovementRow,
  selectLiveMonths,
  selectMovements,
  selectSourceRecords,
} from './store/records.js';
import { decideOn, endWithheld } from './withheld.js';

export interface Synchronising {
  readonly connectionId: string;
  readonly hooks: RecordHooks;
  /** What becomes of deletions and changes that two polls found, if the brake stops them. */
  readonly policy: 'confirm' | 'apply';
}

export interface Synchronised {
  readonly problems: readonly string[];
  /** Null if everything was applied. */
  readonly withheld: WithheldPlan | null;
  /** Where the records are that the plan creates, changes or revives. */
  readonly touched: ReadonlySet<string>;
}

/** Makes the recorded events equal to what a poll found, except for deletions and changes that are withheld. */
export async function synchronise(
  ledger: Ledger,
  { connectionId, hooks, policy }: Synchronising,
  found: Found,
): Promise<Synchronised> {
  const plan = await planFor(ledger, connectionId, found);
  const now = formatTimestamp(ledger.clock.now());
  const proposal = await proposalOf(ledger, connectionId, plan, now);
  const verdict = await decideOn(ledger, connectionId, proposal, policy);
  const { isWithheld, releasedBy, stored } = verdict;
  const own = { connectionId, hooks, actor: { actor: `accounting/${connectionId}` } };
  const { created, revived, changed, gone, unsure, problems } = plan;
  const touched = new Set([...created, ...revived, ...changed].map(({ record }) => record.where));
  const certain = isWithheld ? created.filter(({ key }) => !unsure.has(key)) : created;
  await applyPlan(ledger, own, { created: certain, revived, changed: [], gone: [] });
  if (isWithheld) return { problems, withheld: stored, touched };
  const author = releasedBy === null ? own : { ...own, actor: { actor: releasedBy } };
  await applyPlan(ledger, author, { created: [], revived: [], changed, gone });
  if (stored !== null && stored.ended_at === null) await endWithheld(ledger, connectionId, now);
  return { problems, withheld: null, touched };
}

async function planFor(ledger: Ledger, connectionId: string, found: Found): Promise<Plan> {
  const rows = await selectSourceRecords(ledger, connectionId, null);
  const known = rows.map((row): KnownRecord => {
    const { record_key: key, fingerprint, event_id: eventId, is_deleted: isDeleted } = row;
    return { key, fingerprint, eventId, isDeleted };
  });
  const matched = matchRecords(known, found);
  const mayBeEdits = matched.open.length + found.problems.length > 0;
  const missing = mayBeEdits ? matched.missing.map(({ eventId }) => eventId) : [];
  const movements = await selectMovements(ledger, missing);
  return makePlan(matched, found, {
    traits: new Map(movements.map((row) => [row.event_id, traitsOf(row)])),
    refuse: (record) => refuse(connectionId, record),
  });
}

function refuse(connectionId: string, record: SourceRecord): string | null {
  try {
    bodyOf(connectionId, record);
    return null;
  } catch (error) {
    if (error instanceof LedgerError) return describeProblem(error);
    throw error;
  }
}

function traitsOf(row: MovementRow): Traits {
  return {
    day: formatTimestamp(row.timestamp).slice(0, 10),
    account: row.account ?? row.event_type,
    money: `${row.amount} ${row.currency}`,
    text: row.description ?? '',
    code: row.external_id ?? '',
  };
}

async function proposalOf(
  ledger: Ledger,
  connectionId: string,
  plan: Plan,
  now: string,
): Promise<Proposal> {
  const { gone, changed, unsure } = plan;
  const marks = marksOf(plan);
  const former = [...gone, ...changed.map((one) => one.former)].map(({ eventId }) => eventId);
  const movements = (await selectMovements(ledger, former)).filter((row) => !row.is_deleted);
  const live = marks.length === 0 ? [] : await selectLiveMonths(ledger, connectionId);
  const affected = new Map(
    movements.map((row) => [
      row.event_id,
      { ...row, timestamp: formatTimestamp(row.timestamp), isConfirmed: row.is_confirmed },
    ]),
  );
  const goneIds = new Set(gone.map(({ eventId }) => eventId));
  const items = movements.slice(0, SHOWN).map(({ event_id, amount, currency, description }) => ({
    change: goneIds.has(event_id) ? ('deleted' as const) : ('changed' as const),
    event: uuidToId('evt', event_id),
    ...{ amount, currency, description },
  }));
  return {
    ...{ marks, items, now },
    brake: judgePlan(plan, live, affected),
    counts: { deleted: gone.length, changed: changed.length, held_back: unsure.size },
  };
}
