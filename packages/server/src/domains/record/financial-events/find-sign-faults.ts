import type { LedgerReader } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { countedAmount } from '../money-signs/index.js';
import { selectSigned } from './store/counted-amounts.js';

/** An event that counts with another amount than it should: decimal texts. */
export interface SignFault {
  /** UUID. */
  readonly event_id: string;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Computes the counted amounts of events (UUIDs) again, from the current settings and the links of people,
 * and compares them with what is stored. Deleted events count nowhere.
 */
export async function findSignFaults(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SignFault[]> {
  const rows = await selectSigned(ledger, eventIds);
  if (rows.length === 0) return [];
  const { attribution } = await readSettings(ledger);
  return rows.flatMap((row) => {
    const expected = countedAmount(attribution, row, row.human);
    const { event_id, counted_amount: actual } = row;
    return expected === actual ? [] : [{ event_id, expected, actual }];
  });
}
