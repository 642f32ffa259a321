import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { countedAmount } from '../money-signs/index.js';
import { selectCountedDeleted, selectSigned } from './store/counted-amounts.js';

/** An event that counts with another amount than it should: decimal texts. */
export interface SignFault {
  /** UUID. */
  readonly event_id: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Computes the counted amounts of events (UUIDs) again, from the current settings and the links of people,
 * and compares them with what is stored. Deleted events count with nothing.
 */
export async function findSignFaults(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SignFault[]> {
  const deleted = await selectCountedDeleted(ledger, eventIds);
  const rows = await selectSigned(ledger, eventIds);
  const { attribution } = await readSettings(ledger);
  const faults = rows.flatMap((row) => {
    const expected = countedAmount(attribution, row, row.human);
    const { event_id, counted_amount: actual } = row;
    return expected === actual ? [] : [{ event_id, expected, actual }];
  });
  return [...faults, ...deleted];
}
