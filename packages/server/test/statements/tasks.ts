import pg from 'pg';
import { afterEach } from 'vitest';
import { isException } from './many-tasks.js';
import { isOfTest } from './observed.js';

/** What was explained already, by this process. */
const explained = new Set<string>();
const findings: string[] = [];

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

/** Sends the explanation before the statement itself, over the same connection. */
function explaining(this: pg.Client, ...given: unknown[]): unknown {
  const [statement] = given;
  if (isToExplain(statement)) {
    const { text, values } = statement;
    explained.add(text);
    const asked: unknown = Reflect.apply(original, this, [
      { text: `explain (costs off) ${text}`, values, rowMode: 'array' },
    ]);
    Promise.resolve(asked).then(
      (result: unknown) => {
        const rows: unknown =
          typeof result === 'object' && result !== null ? Reflect.get(result, 'rows') : [];
        const fault = faultOf(Array.isArray(rows) ? rows.flat().join('\n') : '');
        if (fault !== null && !isException(text)) findings.push(`${fault}: ${text}`);
      },
      () => undefined,
    );
  }
  return Reflect.apply(original, this, given);
}

Reflect.set(pg.Client.prototype, 'query', explaining);

// A test fails if a statement of one ledger was sent while it ran that is not done by the node of the ledger alone.
afterEach(() => {
  if (findings.length > 0) throw new Error(findings.splice(0).join('\n\n'));
});
