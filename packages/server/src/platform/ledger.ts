import sql, { type Sql } from 'sql-template-tag';
import { type Clock, systemClock } from './clock.js';
import { createIdFactory, type IdFactory } from './ids.js';
import type { Scope } from './principal.js';
import { createRandomPool, type RandomPool } from './random.js';
import type { Queryable, Statement } from './statement.js';

/**
 * Reads one ledger: the first argument of what reads its records. It has the clock, the ids and the randomness that all
 * ledgers of a process share. Each statement has the id of the ledger among its
 * values; any other is refused.
 */
export interface LedgerReader extends LedgerContext, Pick<Queryable, 'query' | 'copy'> {
  readonly scope: Scope;
  /** UUID. */
  readonly ledgerId: string;
  /** The same connection or transaction, for statements that are of no ledger. */
  readonly connection: Queryable;
}

/** An open transaction. `commit` may be sent before earlier statements are answered. */
export interface Transaction extends Queryable {
  commit(): Promise<void>;
  /** Keeps the rows of a ledger (UUID) on their node until it ends. */
  hold(ledgerId: string): void;
  /** One ledger, in this transaction. */
  ledger(scope: Scope): LedgerWriter;
}

/** Reads and writes one ledger in a transaction that the caller has begun. */
export interface LedgerWriter extends LedgerReader, Pick<Transaction, 'commit'> {}

/** One ledger. A statement sent to it directly sees the ledger as it is at that moment. */
export interface Ledger extends LedgerReader {
  /** Reads one state by several statements. It holds a connection, so `work` must be short. */
  read<Result>(work: (snapshot: LedgerReader) => Promise<Result>): Promise<Result>;
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. */
  write<Result>(work: (tx: LedgerWriter) => Promise<Result>): Promise<Result>;
}

/** What a ledger is opened on. */
interface Connections extends Queryable {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

const SNAPSHOT: Statement = {
  text: 'set transaction isolation level repeatable read, read only',
  values: [],
};

export function openLedger(db: Connections, scope: Scope, context: LedgerContext): Ledger {
  const ledger: Pick<Ledger, 'read' | 'write'> = {
    read: (work) =>
      db.transaction(async (tx) => {
        await tx.query(SNAPSHOT);
        return work(openReader(tx, scope, context));
      }),
    write: (work) =>
      db.transaction((tx) => {
        tx.hold(scope.ledgerId);
        return work(openWriter(tx, scope, context));
      }),
  };
  // Requests open one each, and a copy by spreading costs ten times as much.
  return Object.assign(openReader(db, scope, context), ledger);
}

/** One ledger, in the transaction. */
export function openWriter(tx: Transaction, scope: Scope, context: LedgerContext): LedgerWriter {
  return Object.assign(openReader(tx, scope, context), { commit: tx.commit });
}

function openReader(db: Queryable, scope: Scope, context: LedgerContext): LedgerReader {
  const { ledgerId } = scope;
  const { clock, ids, random } = context;
  return {
    clock,
    ids,
    random,
    scope,
    ledgerId,
    connection: db,
    query: (statement) => db.query(requireLedger(statement, ledgerId)),
    copy: (statement, take) => db.copy(requireLedger(statement, ledgerId), take),
  };
}

function requireLedger(statement: Statement, ledgerId: string): Statement {
  if (statement.values.includes(ledgerId)) return statement;
  throw new Error(`the statement does not name its ledger: ${statement.text.slice(0, 200)}`);
}

/**
 * One row with the id of a ledger, on the node of its other rows, where an insertion from it therefore takes place. The id
 * alone would be no row of any node.
 * @param ledgerId UUID, or the column that has it
 */
export const ownRow = (ledgerId: string | Sql): Sql =>
  sql`(select h.ledger_id from chain_heads h where h.ledger_id = ${ledgerId} and h.chain = 'activity')`;

/** What the handles of all ledgers share in a process. */
export interface LedgerContext {
  readonly clock: Clock;
  readonly ids: IdFactory;
  readonly random: RandomPool;
}

export function ledgerContext(clock: Clock = systemClock): LedgerContext {
  return { clock, ids: createIdFactory({ clock }), random: createRandomPool() };
}
