import { LedgerError } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Ledger } from '../../../platform/ledger.js';
import { type Applying, applyPlan, bodyOf } from './apply.js';
import { describeProblem } from './connectors/take-event.js';
import { type Found, type KnownRecord, matchRecords } from './rules/match.js';
import { makePlan, type Plan } from './rules/plan.js';
import type { SourceRecord, Traits } from './rules/source-record.js';
import { type MovementRow, selectMovements, selectSourceRecords } from './store/records.js';

/** Makes the recorded events equal to what a poll found. @returns its problems */
export async function synchronise(
  ledger: Ledger,
  applying: Applying,
  found: Found,
): Promise<readonly string[]> {
  const plan = await planFor(ledger, applying.connectionId, found);
  await applyPlan(ledger, applying, plan);
  return plan.problems;
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
