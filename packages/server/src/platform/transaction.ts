import pg from 'pg';
import {
  CommitUnknownError,
  isConnectionLoss,
  isOwnConnectionLoss,
  translate,
} from './connection-loss.js';
import { copyOut } from './copy-out.js';
import { type LedgerContext, openWriter, type Transaction } from './ledger.js';
import type { Queryable, Statement } from './statement.js';

/** Sends statements over one connection. */
export function statementsOn(client: pg.ClientBase): Queryable {
  return {
    query: (statement) => run(client, statement),
    async copy(statement, take) {
      try {
        await copyOut(client, statement, take);
      } catch (error) {
        throw translate(error);
      }
    },
  };
}

async function run<Row extends object>(client: pg.ClientBase, statement: Statement) {
  try {
    const { name, text, values } = statement;
    const config = name === undefined ? { text, values } : { name, text, values };
    // Several statements return a list of results.
    const result: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await client.query<Row>(config);
    return Array.isArray(result) ? result.flatMap(({ rows }) => rows) : result.rows;
  } catch (error) {
    throw translate(error);
  }
}

/** Rolls back after a failure, because the script may have left a transaction open. */
export async function runScript<Row extends object>(
  client: pg.ClientBase,
  text: string,
): Promise<Row[]> {
  try {
    return await run<Row>(client, { text, values: [] });
  } catch (error) {
    if (!isOwnConnectionLoss(error)) await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** One statement as a transaction of its own, in one round trip. */
export async function runAlone<Result>(
  client: pg.ClientBase,
  begin: string,
  send: () => Promise<Result>,
): Promise<Result> {
  const begun = client.query(begin);
  const sent = send();
  const committed = commitTransaction(client);
  // The connection is free when all three are answered. The first failure is the cause of the others.
  await Promise.allSettled([begun, sent, committed]);
  await begun.catch((error: unknown) => {
    throw translate(error);
  });
  const result = await sent;
  await committed;
  return result;
}

export interface TransactionTools {
  readonly client: pg.ClientBase;
  readonly begin: string;
  /** Keeps the rows of a ledger (UUID) on their node; null where they stay. */
  readonly hold: ((ledgerId: string) => Statement) | null;
  /** Sends over `client`. */
  readonly statements: Queryable;
  readonly context: LedgerContext;
  /** Takes the topics of its statements. */
  readonly notified: Set<string>;
}

export async function runTransaction<Result>(
  { client, begin, hold, statements, context, notified }: TransactionTools,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let committing: Promise<void> | undefined;
  const commit = () => {
    committing = commitTransaction(client);
    return committing;
  };
  /** Of the statement that failed first, which aborts all that are sent after it. */
  let first: unknown;
  const watched = <Sent>(sent: Promise<Sent>) => {
    sent.catch((error: unknown) => {
      first ??= error;
    });
    return sent;
  };
  let begun: Promise<unknown> = Promise.resolve();
  const open = (sent: Promise<unknown>) => {
    begun = Promise.all([begun, sent]);
    begun.catch(() => undefined);
  };
  open(client.query(begin));
  try {
    const tx: Transaction = {
      query(statement) {
        if (statement.notifies !== undefined) notified.add(statement.notifies);
        return watched(statements.query(statement));
      },
      copy: (statement, take) => watched(statements.copy(statement, take)),
      commit,
      hold(ledgerId) {
        if (hold !== null) open(statements.query(hold(ledgerId)));
      },
      ledger(scope) {
        tx.hold(scope.ledgerId);
        return openWriter(tx, scope, context);
      },
    };
    const value = await work(tx);
    await begun;
    if (committing === undefined) await commit();
    return value;
  } catch (failure) {
    // What the transaction began with is the cause of what failed in it.
    const error = await begun.then(
      () => (isAborted(failure) ? (first ?? failure) : failure),
      (cause: unknown) => cause,
    );
    // After COMMIT was sent, the server ends the transaction in any case.
    if (committing !== undefined) await requireKnown(committing);
    else if (!isOwnConnectionLoss(error)) await client.query('rollback').catch(() => undefined);
    throw translate(error);
  }
}

/** Whether a statement was refused because an earlier one of its transaction had failed. */
function isAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/** After a lost connection only the answer to COMMIT decides; those to earlier statements are lost too. */
async function requireKnown(committing: Promise<void>): Promise<void> {
  try {
    await committing;
  } catch (error) {
    if (error instanceof CommitUnknownError) throw error;
  }
}

async function commitTransaction(client: pg.ClientBase): Promise<void> {
  try {
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back by an error in it');
  } catch (error) {
    if (isConnectionLoss(error)) throw new CommitUnknownError(error);
    throw error;
  }
}
