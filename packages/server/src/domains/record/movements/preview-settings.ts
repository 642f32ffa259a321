import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MoneyPreview } from '@decision-ledger/contract/dry-run';
import type { Settings } from '@decision-ledger/contract/settings';
import type { LedgerReader } from '../../../platform/ledger.js';
import { previewCounts } from '../financial-events/index.js';
import { comparingOf, moneyOf, readMetadata } from '../money-signs/index.js';
import { changedMovements, compareReports } from './compare.js';
import { ReportReader } from './neighbourhood.js';
import type { ComparedRow } from './store/reports.js';

interface Change {
  readonly before: Settings;
  readonly after: Settings;
}

/** What a change of settings would do to the last events and to their movements. Changes nothing. */
export const previewMoney = (ledger: LedgerReader, change: Change): Promise<MoneyPreview> =>
  previewCounts(ledger, change, (ids) => previewMovements(ledger, ids, change));

/** Reports that are compared at once. */
const STEP = 50;

/**
 * The movements (UUIDs of reports) that rules would make of some reports with other settings, where these are not the stored ones.
 * References that no source of a pair has yet are not found.
 * @param eventIds UUIDs; only those are compared that the settings judge otherwise
 */
async function previewMovements(
  ledger: LedgerReader,
  eventIds: readonly string[],
  { before, after }: Change,
): Promise<readonly (readonly string[])[]> {
  const reader = new ReportReader(ledger, after);
  const rows = await reader.readRows(eventIds);
  const isAll = commonOf(before) !== commonOf(after);
  const judged = rows.filter(
    (row) => isAll || judgementOf(before, row) !== judgementOf(after, row),
  );
  const movements: (readonly string[])[] = [];
  const taken = new Set<string>();
  for (let at = 0; at < judged.length; at += STEP) {
    const ids = judged.slice(at, at + STEP).map(({ event_id }) => event_id);
    for (const movement of changedMovements(await compareReports(ledger, ids, reader))) {
      if (movement.some((id) => taken.has(id))) continue;
      movements.push(movement);
      for (const id of movement) taken.add(id);
    }
    await nextTurn();
  }
  return movements;
}

/** What settings say of all reports, as one text. New rates alone compare nothing again. */
const commonOf = ({ attribution, analytics }: Settings): string =>
  JSON.stringify([attribution.time_zone, analytics.customer_key]);

/** What they say of one report before it is compared, as one text. */
function judgementOf({ attribution }: Settings, row: ComparedRow): string {
  const { references, ...comparing } = comparingOf(attribution, row.source);
  const money = moneyOf(attribution, { ...row, metadata: readMetadata(row.metadata) });
  return JSON.stringify([comparing, references && [...references], money]);
}
