import type { LedgerWriter } from '#server/platform/ledger';
import type { Scope } from '#server/platform/principal';
import type { Statement } from '#server/platform/statement';
import { databaseWith } from './own-database.js';
import type { TestService } from './service.js';

/** Reads one ledger. Each statement is answered with no rows. */
export type Ask = (listening: LedgerWriter) => Promise<unknown>;

/**
 * What PostgreSQL says of the statements that a function sends.
 * @param options of EXPLAIN, in parentheses
 */
export async function explained(
  { service }: TestService,
  scope: Scope,
  ask: Ask,
  options: string,
): Promise<string> {
  const asked: Statement[] = [];
  const { ledger } = databaseWith(service.db, {
    async query<Row extends object>(statement: Statement): Promise<Row[]> {
      asked.push(statement);
      return [];
    },
  });
  await ask({ ...ledger(scope), commit: () => Promise.resolve() });
  if (asked.length === 0) throw new Error('nothing was asked');
  const plans: string[] = [];
  for (const { text, values } of asked) {
    const rows = await service.db.query<{ 'QUERY PLAN': string }>({
      text: `explain ${options} ${text}`,
      values,
    });
    plans.push(...rows.map((row) => row['QUERY PLAN']));
  }
  return plans.join('\n');
}
