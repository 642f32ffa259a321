import type { ClientConfig } from 'pg';
import { embeddedConnection } from './embedded.js';
import type { TestService } from './service.js';
import { withClient } from './stored-chain.js';

/** Runs a statement as the owner of the database, with rights that the service lacks. */
export async function asOwner(
  { environment }: Pick<TestService, 'environment'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<unknown[]> {
  const { DATABASE_URL, LEDGER_DATA_DIR = '' } = environment;
  const connection: ClientConfig =
    DATABASE_URL === undefined
      ? await embeddedConnection(LEDGER_DATA_DIR)
      : { connectionString: DATABASE_URL };
  return withClient(connection, async (client) => {
    const { rows }: { rows: unknown[] } = await client.query(text, [...values]);
    return rows;
  });
}
