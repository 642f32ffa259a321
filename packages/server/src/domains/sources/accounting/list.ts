import type { ConnectionState } from '@decision-ledger/contract/accounting';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Ledger } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import { selectConnections } from './store/connections.js';
import { selectPendingPolls } from './store/jobs.js';

/** The connections of a ledger in the order of the settings, with the result of their last poll. */
export async function listConnections(ledger: Ledger): Promise<ConnectionState[]> {
  const { accounting } = await readSettings(ledger);
  const rows = await selectConnections(ledger);
  const pending = new Set(
    (await selectPendingPolls(ledger)).map(({ connection_id }) => connection_id),
  );
  return accounting.map(({ id, kind }) => {
    const row = rows.find(({ connection_id }) => connection_id === id);
    const polledAt = row?.polled_at ?? null;
    return {
      id,
      kind,
      problem: row?.problem ?? null,
      polled_at: polledAt === null ? null : formatTimestamp(polledAt),
      is_poll_pending: pending.has(id),
    };
  });
}
