import type { Clock } from '#server/platform/clock';
import type { Database } from '#server/platform/database';
import { openLedger, openWriter, type Transaction } from '#server/platform/ledger';
import type { Queryable } from '#server/platform/statement';

/** A database whose ledgers are opened on changed functions of it. */
export function databaseWith(
  db: Database,
  changed: Partial<Pick<Database, 'context' | 'query' | 'copy' | 'transaction'>>,
): Database {
  const own: Database = {
    ...db,
    ...changed,
    ledger: (scope) => openLedger(own, scope, own.context),
  };
  return own;
}

/** A database whose ledgers have another clock. */
export function databaseAt(db: Database, clock: Clock): Database {
  return databaseWith(db, { context: { ...db.context, clock } });
}

/** A transaction that sends its statements through `query`. */
export function transactionWith(tx: Transaction, query: Queryable['query']): Transaction {
  const own: Transaction = {
    commit: () => tx.commit(),
    query,
    copy: tx.copy,
    hold: (ledgerId) => tx.hold(ledgerId),
    ledger: (scope) => openWriter(own, scope, tx.ledger(scope)),
  };
  return own;
}

/** A database whose transactions refuse some of their statements. */
export function refusingStatements(db: Database, refuse: (text: string) => Error | null): Database {
  return databaseWith(db, {
    transaction: (work) =>
      db.transaction((tx) =>
        work(
          transactionWith(tx, async (statement) => {
            const refusal = refuse(statement.text);
            if (refusal !== null) throw refusal;
            return tx.query(statement);
          }),
        ),
      ),
  });
}
