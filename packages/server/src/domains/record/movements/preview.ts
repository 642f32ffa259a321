import type { PairPreview } from '@decision-ledger/contract/dry-run';
import type { PairBody, PairedMovement } from '@decision-ledger/contract/financial-event';
import { Big } from 'big.js';
import { idToUuid } from '../../../platform/ids.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { selectReports, selectSigned } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { tryOut } from '../links/index.js';
import { pairReports } from './pair.js';

/**
 * Pairs two reports and undoes it: nothing is stored, recorded or announced.
 * @returns the movement as it would be, with what its reports count now and would count
 * @throws as `pairReports`
 */
export function previewPair(
  ledger: Ledger,
  hooks: RecordHooks,
  principal: Actor,
  body: PairBody,
): Promise<PairedMovement> {
  return tryOut(ledger, async (tx) => {
    const wanted = body.reports.flatMap((id) => idToUuid('evt', id) ?? []);
    const ids = (await selectReports(tx, wanted)).map(({ event_id }) => event_id);
    const counted_before = await sumCounted(tx, ids);
    const movement = await pairReports(tx, hooks, principal, body);
    return { ...movement, dry_run: { counted_before, counted_after: await sumCounted(tx, ids) } };
  });
}

/** What reports (UUIDs) count, by currency. */
async function sumCounted(
  ledger: LedgerReader,
  ids: readonly string[],
): Promise<PairPreview['counted_before']> {
  const sums = new Map<string, Big>();
  for (const { currency, counted_amount } of await selectSigned(ledger, ids)) {
    sums.set(currency, (sums.get(currency) ?? new Big(0)).plus(counted_amount));
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amount: sum.toFixed() }));
}
