import type { Database } from '../../../platform/database.js';
import { deleteDeadJobs } from '../../../platform/jobs/stored-jobs.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Outbound } from '../../../platform/outbound.js';
import { openSettings } from '../../access/settings/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { applyFound } from './apply.js';
import type { ConnectorTools } from './connectors/connector.js';
import { openConnection } from './connectors/registry.js';
import { ACCOUNTING_POLLS } from './queue.js';
import { tokenKeeper } from './refresh-token.js';
import { type ConnectionRow, selectConnections, upsertPoll } from './store/connections.js';

export interface PollTools {
  readonly db: Database;
  readonly hooks: RecordHooks;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
}

/** Problems that are stored; the rest is counted. */
const MAX_PROBLEMS = 20;

/**
 * Polls a connection once. The cursor advances after the commit, so an interrupted poll is repeated;
 * what it had recorded is not recorded twice.
 * @throws ConnectorError, OutboundError when the accounting system could not be read
 */
export async function pollConnection(
  ledger: Ledger,
  tools: PollTools,
  connectionId: string,
): Promise<void> {
  const rows = await selectConnections(ledger);
  const row = rows.find((one) => one.connection_id === connectionId);
  const polledAt = ledger.clock.now();
  const end = (cursor: string | null, problem: string | null) =>
    ledger.write((tx) => upsertPoll(tx, { connectionId, cursor, problem, polledAt }));
  try {
    const { accounting } = await openSettings(ledger, tools);
    const connection = accounting.find(({ id }) => id === connectionId);
    if (connection === undefined) return;
    const client = openConnection(connection, connectorTools(ledger, tools, connectionId, row));
    const { records, isComplete, cursor, problems } = await client.poll(row?.cursor ?? null);
    const actor = { scope: ledger.scope, actor: `accounting/${connectionId}` };
    await applyFound(ledger, tools.hooks, actor, {
      connectionId,
      records,
      isComplete,
    });
    await end(cursor, describe(problems));
    await ledger.write((tx) =>
      deleteDeadJobs(tx, ACCOUNTING_POLLS, { connection_id: connectionId }),
    );
  } catch (error) {
    await end(null, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

function connectorTools(
  ledger: Ledger,
  { db, keyring, outbound }: PollTools,
  connectionId: string,
  row: ConnectionRow | undefined,
): ConnectorTools {
  const place = { db, keyring, scope: ledger.scope, connectionId };
  return {
    outbound,
    clock: ledger.clock,
    rotatingToken: (fromSettings) => tokenKeeper(place, fromSettings, row?.refresh_token ?? null),
  };
}

function describe(problems: readonly string[]): string | null {
  if (problems.length === 0) return null;
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS).join('\n');
  return more > 0 ? `${shown}\nand ${more} more` : shown;
}
