import type { AccountingConnection } from '@decision-ledger/contract/settings';
import type { Clock } from '../../../platform/clock.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Outbound } from '../../../platform/outbound.js';
import type { Scope } from '../../../platform/scope.js';
import { openSettings } from '../../access/settings/index.js';
import { type ApplyTools, applyFound } from './apply.js';
import type { Connector } from './connectors/connector.js';
import { createHledgerConnector } from './connectors/hledger.js';
import { createQuickBooksConnector } from './connectors/quickbooks.js';
import { tokenKeeper } from './refresh-token.js';
import { type ConnectionRow, selectConnections, upsertPoll } from './store/connections.js';
import { deleteDeadPolls } from './store/jobs.js';

export interface PollTools extends ApplyTools {
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  /** Told after the commit that there are new events. */
  readonly onEvents: (scope: Scope) => void;
}

/** Of the records that could not be taken, as many as a person will read. */
const MAX_PROBLEMS = 20;

/**
 * Reads a connection once. Its cursor moves only behind what was committed, so that a poll that
 * dies is read again, and what it had recorded is not recorded again.
 * @throws ConnectorError, OutboundError when the accounting system could not be read
 */
export async function pollConnection(
  tools: PollTools,
  scope: Scope,
  connectionId: string,
): Promise<void> {
  const rows = await selectConnections(tools.db, scope);
  const row = rows.find((one) => one.connection_id === connectionId);
  const polledAt = tools.clock.now();
  const end = (cursor: string | null, problem: string | null) =>
    upsertPoll(tools.db, scope, { connectionId, cursor, problem, polledAt });
  try {
    const { accounting } = await openSettings(tools, tools.db, scope);
    const connection = accounting.find(({ id }) => id === connectionId);
    if (connection === undefined) return;
    const { records, isComplete, cursor, problems } = await open(
      tools,
      scope,
      connection,
      row,
    ).poll(row?.cursor ?? null);
    const actor = { scope, actor: `accounting/${connectionId}` };
    const recorded = await applyFound(tools, actor, { connectionId, records, isComplete });
    await end(cursor, describe(problems));
    await deleteDeadPolls(tools.db, scope, connectionId);
    if (recorded) tools.onEvents(scope);
  } catch (error) {
    await end(null, error instanceof Error ? error.message : String(error));
    throw error;
  }
}

function open(
  tools: PollTools,
  scope: Scope,
  connection: AccountingConnection,
  row: ConnectionRow | undefined,
): Connector {
  const { db, keyring, clock, outbound } = tools;
  if (connection.kind === 'hledger') return createHledgerConnector(connection, { outbound });
  const place = { db, keyring, scope, connectionId: connection.id };
  const keeper = tokenKeeper(place, connection.refresh_token, row?.refresh_token ?? null);
  return createQuickBooksConnector(
    { ...connection, refresh_token: keeper.newest() },
    { outbound, clock, saveRefreshToken: (token) => keeper.save(token) },
  );
}

function describe(problems: readonly string[]): string | null {
  if (problems.length === 0) return null;
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS).join('\n');
  return more > 0 ? `${shown}\nand ${more} more` : shown;
}
