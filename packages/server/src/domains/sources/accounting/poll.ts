import type { ConnectionState } from '@decision-ledger/contract/accounting';
import { notFound } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Type } from 'typebox';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { deleteDeadJobs, updateRetryNow } from '../../../platform/jobs/stored-jobs.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Outbound } from '../../../platform/outbound.js';
import type { Actor } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { openSettings, readSettings } from '../../access/settings/index.js';
import type { RecordHooks } from '../../record/hooks/index.js';
import { pulledInbox } from '../stripe/index.js';
import type { ConnectorTools } from './connectors/connector.js';
import { openConnection } from './connectors/registry.js';
import { tokenKeeper } from './refresh-token.js';
import { keptNotes, notesOf, withoutNotes } from './rules/kept-notes.js';
import { describeWithheld } from './rules/withhold.js';
import {
  type ConnectionRow,
  selectConnectedLedgers,
  selectConnections,
  selectPendingPolls,
  updateProblem,
  upsertPoll,
} from './store/connections.js';
import { synchronise } from './synchronise.js';
import { releasePlan, showWithheld } from './withheld.js';

/** Polls one accounting connection once. */
export const ACCOUNTING_POLLS = {
  name: 'accounting-poll',
  data: Type.Object({ connection_id: Type.String() }),
  once: 'key',
  retries: 8,
  firstDelay: 30,
  longestDelay: 900,
  timeout: 900,
} as const;

export interface PollTools {
  readonly db: Database;
  readonly hooks: RecordHooks;
  readonly jobs: JobQueue;
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
  const end = (cursor: string | null, problem: string | null, problemCount = 0) =>
    ledger.write((tx) => upsertPoll(tx, { connectionId, cursor, problem, problemCount, polledAt }));
  try {
    const { accounting } = await openSettings(ledger, tools);
    const connection = accounting.find(({ id }) => id === connectionId);
    if (connection === undefined) return;
    const client = openConnection(connection, connectorTools(ledger, tools, connectionId, row));
    const { cursor, notes, ...found } = await client.poll(row?.cursor ?? null);
    const options = { connectionId, hooks: tools.hooks, policy: connection.large_changes };
    const { withheld, touched, ...planned } = await synchronise(ledger, options, found);
    const kept = keptNotes(row?.problem ?? null, found.records, touched);
    const problems = [...new Set([...planned.problems, ...kept])];
    const all = withheld === null ? [] : [describeWithheld(withheld)];
    // What is withheld must be found again, so a list of changes is read again from the same place.
    const next = withheld === null ? cursor : null;
    await end(next, describe([...all, ...notes, ...problems]), problems.length);
    await ledger.write((tx) =>
      deleteDeadJobs(tx, ACCOUNTING_POLLS, { connection_id: connectionId }),
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await end(null, describe([message, ...notesOf(row?.problem ?? null)]));
    throw error;
  }
}

function connectorTools(
  ledger: Ledger,
  { db, jobs, keyring, outbound }: PollTools,
  connectionId: string,
  row: ConnectionRow | undefined,
): ConnectorTools {
  const place = { db, keyring, scope: ledger.scope, connectionId };
  return {
    outbound,
    clock: ledger.clock,
    stripe: pulledInbox(ledger, { jobs, actor: `accounting/${connectionId}` }),
    rotatingToken: (fromSettings) => tokenKeeper(place, fromSettings, row?.refresh_token ?? null),
  };
}

function describe(problems: readonly string[]): string | null {
  if (problems.length === 0) return null;
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS).join('\n');
  return more > 0 ? `${shown}\nand ${more} more` : shown;
}

export async function accountingJobs(jobs: JobQueue, tools: PollTools): Promise<void> {
  await jobs.work(ACCOUNTING_POLLS, (ledger, { connection_id }) =>
    pollConnection(ledger, tools, connection_id),
  );
}

/** The connections of a ledger in the order of the settings, with the result of their last poll. */
export async function listConnections(ledger: Ledger): Promise<ConnectionState[]> {
  const { accounting } = await readSettings(ledger);
  const rows = await selectConnections(ledger);
  const pending = new Set(
    (await selectPendingPolls(ledger, ACCOUNTING_POLLS.name)).map(
      ({ connection_id }) => connection_id,
    ),
  );
  return accounting.map(({ id, kind }) => {
    const row = rows.find(({ connection_id }) => connection_id === id);
    const polledAt = row?.polled_at ?? null;
    return {
      id,
      kind,
      problem: row?.problem ?? null,
      problem_count: row?.problem_count ?? 0,
      withheld: showWithheld(row?.withheld ?? null),
      polled_at: polledAt === null ? null : formatTimestamp(polledAt),
      is_poll_pending: pending.has(id),
    };
  });
}

export interface RequestPollTools {
  readonly db: Database;
  readonly jobs: JobQueue;
}

/**
 * Queues a poll of a connection, unless one is queued. A running poll is followed by another, because
 * it may have read before the request.
 * @throws LedgerError `not_found`
 */
export async function requestPoll(
  ledger: Ledger,
  { jobs }: Pick<RequestPollTools, 'jobs'>,
  connectionId: string,
): Promise<ConnectionState> {
  const isNamed = ({ id }: ConnectionState) => id === connectionId;
  if (!(await listConnections(ledger)).some(isNamed)) throw notFound('accounting connection');
  await endNotes(ledger, connectionId);
  await pollSoon(ledger, jobs, connectionId);
  const connection = (await listConnections(ledger)).find(isNamed);
  if (connection === undefined) throw notFound('accounting connection');
  return connection;
}

/**
 * Releases what a connection withholds, and queues the poll that applies it.
 * @throws LedgerError `not_found`; `conflict` if the plan is not withheld
 */
export async function releaseWithheld(
  ledger: Ledger,
  tools: Pick<RequestPollTools, 'jobs'>,
  actor: Actor,
  { connectionId, plan }: { readonly connectionId: string; readonly plan: string },
): Promise<ConnectionState> {
  const isKnown = (await listConnections(ledger)).some(({ id }) => id === connectionId);
  if (!isKnown) throw notFound('accounting connection');
  await releasePlan(ledger, actor, connectionId, plan);
  return requestPoll(ledger, tools, connectionId);
}

/** Who asks for a poll has seen what the one before noted on edits. */
async function endNotes(ledger: Ledger, connectionId: string): Promise<void> {
  const rows = await selectConnections(ledger);
  const problem = rows.find((row) => row.connection_id === connectionId)?.problem ?? null;
  const left = withoutNotes(problem);
  if (left !== problem) await ledger.write((tx) => updateProblem(tx, connectionId, problem, left));
}

/** Starts a retry that waits, or queues a poll. */
async function pollSoon(ledger: Ledger, jobs: JobQueue, connectionId: string): Promise<void> {
  const data = { connection_id: connectionId };
  await ledger.write(async (tx) => {
    if (await updateRetryNow(tx, ACCOUNTING_POLLS, data)) return;
    await jobs.send(tx, ACCOUNTING_POLLS, data, connectionId);
  });
}

export interface DuePollTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
  readonly jobs: JobQueue;
}

/**
 * Queues a poll for every connection that is due and has none queued. A retry that waits is started
 * when the connection is due, so the end of an outage is noticed within one interval.
 */
export async function requestDuePolls(tools: DuePollTools): Promise<void> {
  for (const scope of await selectConnectedLedgers(tools.installation))
    await requestDue(tools.db.ledger(scope), tools);
}

async function requestDue(ledger: Ledger, { jobs }: DuePollTools): Promise<void> {
  const { accounting } = await readSettings(ledger);
  const rows = await selectConnections(ledger);
  const polledAt = new Map(rows.map((row) => [row.connection_id, row.polled_at]));
  const pending = await selectPendingPolls(ledger, ACCOUNTING_POLLS.name);
  const isPending = (id: string) =>
    pending.some(({ connection_id, state }) => connection_id === id && state !== 'retry');
  for (const { id, poll_seconds } of accounting) {
    const last = polledAt.get(id) ?? null;
    const isDue = last === null || ledger.clock.now() - last >= poll_seconds * 1000;
    if (isDue && !isPending(id)) await pollSoon(ledger, jobs, id);
  }
}
