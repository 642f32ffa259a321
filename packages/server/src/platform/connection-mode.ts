import type pg from 'pg';
import { holdLedger } from './cluster/hold-ledger.js';
import { type Login, sessionSql, transactionSql } from './connection.js';
import type { Queryable, Statement } from './statement.js';
import { runAlone, statementsOn } from './transaction.js';

/** How a connection is told what applies to it, and what may be sent over it. */
export interface ConnectionMode {
  /** Sent over each new connection; null if it would not be kept. */
  readonly session: string | null;
  /** Begins a transaction. */
  readonly begin: string;
  /** Keeps the rows of a ledger (UUID) on their node until the transaction ends; null where they stay. */
  readonly hold: ((ledgerId: string) => Statement) | null;
  /** Statements in a transaction. */
  within(client: pg.ClientBase): Queryable;
  /** Statements outside of one. */
  alone(client: pg.ClientBase): Queryable;
  /** A text of several statements, with what has to be around it. */
  script(text: string): string;
}

export const LIMITS = [
  'lock_timeout = 10000',
  'statement_timeout = 60000',
  'idle_in_transaction_session_timeout = 15000',
];

export function modeOf(login: Login): ConnectionMode {
  const hold = login.isCluster ? holdLedger : null;
  return login.isPooled
    ? { ...byTransaction(transactionSql(login, LIMITS)), hold }
    : { ...bySession(sessionSql(login, LIMITS)), hold };
}

/** A connection keeps its settings and its prepared statements. */
function bySession(session: string): Omit<ConnectionMode, 'hold'> {
  const script = (text: string) => text;
  return { session, begin: 'begin', within: statementsOn, alone: statementsOn, script };
}

/** Behind a pooler, each transaction is told the settings, and each statement is parsed anew. */
function byTransaction(begin: string): Omit<ConnectionMode, 'hold'> {
  const within = (client: pg.ClientBase): Queryable => {
    const { query, copy } = statementsOn(client);
    return { query: ({ text, values }) => query({ text, values }), copy };
  };
  const alone = (client: pg.ClientBase): Queryable => {
    const { query, copy } = within(client);
    return {
      query: <Row extends object>(statement: Parameters<typeof query>[0]) =>
        runAlone(client, begin, () => query<Row>(statement)),
      copy: (statement, take) => runAlone(client, begin, () => copy(statement, take)),
    };
  };
  return { session: null, begin, within, alone, script: (text) => `${begin}; ${text}; commit` };
}
