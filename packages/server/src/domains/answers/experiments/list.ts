import type { ListedExperiment } from '@decision-ledger/contract/experiment';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Ledger } from '../../../platform/ledger.js';
import { mapPage, type PageRows, pageOf, type Slice } from '../../../platform/page.js';
import { selectExperiments } from './store/assignments.js';

/** Experiments by identifier. */
export async function listExperiments(
  ledger: Ledger,
  { after, limit }: Slice<string>,
): Promise<PageRows<ListedExperiment>> {
  const rows = await selectExperiments(ledger, after, limit + 1);
  return mapPage(pageOf(rows, limit), (row) => ({
    experiment_id: row.experiment_id,
    decisions: row.decisions,
    ignored: row.ignored,
    first_at: formatTimestamp(row.first_at),
    last_at: formatTimestamp(row.last_at),
    arm_count: row.arm_count,
    arms: row.arms.map(({ arm, decisions }) => ({ arm, decisions })),
  }));
}

export { countUnreadable } from './store/assignments.js';
