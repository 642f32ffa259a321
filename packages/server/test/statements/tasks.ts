import pg from 'pg';
import { afterAll, afterEach } from 'vitest';
import { SEARCH_PATH } from '../support/postgres-names.js';
import { isException } from './many-tasks.js';
import { isOfTest } from './observed.js';

/** What was explained already, by this process. */
const explained = new Set<string>();
const findings: string[] = [];
/** By the address of the database: an explanation that fails must not break the transaction of the service. */
const explainers = new Map<string, Promise<pg.Client>>();
/** The end of the last explanation. */
let last = Promise.resolve();

/** What Citus cannot explain, or what is for all ledgers. */
const OTHER =
  /^\s*(?:\/\*|begin|commit|rollback|set|savepoint|release|copy|lock|listen|notify|explain|vacuum)/i;

function isToExplain(statement: unknown): statement is { text: string; values: unknown[] } {
  if (typeof statement !== 'object' || statement === null) return false;
  const text: unknown = Reflect.get(statement, 'text');
  const values: unknown = Reflect.get(statement, 'values');
  if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) return false;
  return !explained.has(text) && !OTHER.test(text) && !isOfTest();
}

/** More than one task, or rows that pass through the coordinator. */
function faultOf(plan: string): string | null {
  const count = /Task Count: (\d+)/.exec(plan)?.[1];
  if (/pull to coordinator/.test(plan)) return 'its rows pass through the coordinator';
  if (/Distributed Subplan/.test(plan)) return 'it has results in between';
  return count === undefined || count === '1' ? null : `it has ${count} tasks`;
}

const original = pg.Client.prototype.query;

async function connect({ host, port, database, user }: pg.Client): Promise<pg.Client> {
  const client = new pg.Client({ host, port, database, user });
  // A test may copy the database, or drop it.
  client.on('error', () => explainers.delete(addressOf(client)));
  await client.connect();
  await Reflect.apply(original, client, [`set search_path = ${SEARCH_PATH}`]);
  return client;
}

const addressOf = ({ host, port, database }: pg.Client) => `${host}:${port}/${database}`;

async function explain(sender: pg.Client, text: string, values: unknown[]): Promise<void> {
  const address = addressOf(sender);
  const explainer = explainers.get(address) ?? connect(sender);
  explainers.set(address, explainer);
  const statement = { text: `explain (costs off) ${text}`, values, rowMode: 'array' };
  const result: unknown = await Reflect.apply(original, await explainer, [statement]);
  const rows: unknown =
    typeof result === 'object' && result !== null ? Reflect.get(result, 'rows') : [];
  const fault = faultOf(Array.isArray(rows) ? rows.flat().join('\n') : '');
  if (fault !== null) findings.push(`${fault}: ${text}`);
}

/** What moves rows through the coordinator cannot be explained with values. */
const UNEXPLAINED = '0A000';

function reportRefusal(text: string, error: unknown): void {
  const isRefused = error instanceof pg.DatabaseError && error.code === UNEXPLAINED;
  if (isRefused) findings.push(`${error.message}: ${text}`);
}

/** Explains a statement beside sending it. */
function explaining(this: pg.Client, ...given: unknown[]): unknown {
  const [statement] = given;
  if (isToExplain(statement) && !isException(statement.text)) {
    const { text, values } = statement;
    explained.add(text);
    last = last
      .then(() => explain(this, text, values))
      .catch((error: unknown) => reportRefusal(text, error));
  }
  return Reflect.apply(original, this, given);
}

Reflect.set(pg.Client.prototype, 'query', explaining);

// A test fails if a statement of one ledger was sent while it ran that is not done by the node of the ledger alone.
afterEach(async () => {
  await last;
  if (findings.length > 0) throw new Error(findings.splice(0).join('\n\n'));
});

afterAll(async () => {
  const clients = await Promise.allSettled(explainers.values());
  explainers.clear();
  for (const client of clients) {
    if (client.status === 'fulfilled') await client.value.end().catch(() => undefined);
  }
});
