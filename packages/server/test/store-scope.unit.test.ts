import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { SERVER } from './support/paths.js';

const SRC = resolve(SERVER, 'src');

/** The statements that need no ledger, by the function that contains them. */
const WITHOUT_LEDGER: Readonly<Record<string, string>> = {
  selectKeysByHash:
    'finds the ledger by the key that the caller brought: nothing else is known yet',
  selectSessionsByHash:
    'finds the ledger by the token that the caller brought: nothing else is known yet',
  selectLedgers: "lists every ledger for the operator's command line, never for a request",
  insertOrganisation: 'an organisation stands above its two ledgers',
  selectOrganisation: 'finds the organisation of the ledger that it names',
  selectOrganisationSettings: "finds the organisation's live ledger, where its settings are",
  selectConnectedLedgers: 'lists for the worker whose accounting is polled, never for a request',
  selectWatchedLedgers: 'lists for the watch who wants to be told, never for a request',
  selectWaitingLedgers: 'lists for the worker whose events wait, never for a request',
  selectDueLedgers: 'lists for the worker whose estimates are due, never for a request',
  selectUnreconciledLedgers: 'lists for the worker whose tables are compared, never for a request',
  isRecountPending: "pg-boss's table: the ledger of a job is in its data, which is compared",
  selectRows: 'reads one of several tables, whose name is inserted; it names its ledger',
  selectExisting: 'reads one of several tables, whose name is inserted; it names its ledger',
  sumReconciliations: 'counts for the operator, over all ledgers, never for a request of a tenant',
  selectUnclosedLedgers: 'lists for the worker whose months are due, never for a request',
  sumRows: 'adds up what statements of the same file select, which name their ledger',
  selectBehind: 'lists for the worker what followers have not taken, never for a request',
  selectPrunableLedgers: 'lists for the worker whose announcements are old, never for a request',
  sumLags: 'counts for the operator, over all ledgers, never for a request of a tenant',
  selectDeadJobs: "pg-boss's table: the ledger of a job is in its data, which is compared",
  selectDeadJob: "pg-boss's table: the ledger of a job is in its data, which is compared",
  selectObservation: "pg-boss's table: the ledger of a job is in its data, which is compared",
  selectPendingPolls: "pg-boss's table: the ledger of a job is in its data, which is compared",
  deleteDeadPolls: "pg-boss's table: the ledger of a job is in its data, which is compared",
  updateRetryNow: "pg-boss's table: the ledger of a job is in its data, which is compared",
  lockOrganisation: 'an allowance of exports holds for both ledgers of an organisation',
  selectUsage: 'an allowance of exports holds for both ledgers of an organisation',
  selectLedgersWithExports: 'lists for the worker that expires exports, never for a request',
  selectOwnLedgers: 'lists both ledgers of the organisation whose key is changed',
  insertSigningKey: "a key is the organisation's, whatever the mode",
  retireSigningKey: "a key is the organisation's, whatever the mode",
  selectSigningKeys: "a key is the organisation's, whatever the mode",
  selectCurrentSigningKey: "a key is the organisation's, whatever the mode",
  upsertRefreshToken: 'names its ledger; the master key is that of the whole database',
  selectPrivateKeys: "a key is the organisation's, whatever the mode",
  updatePrivateKey: "a key is the organisation's, whatever the mode",
  selectAllLedgers: 'lists every ledger for a change of the master key, never for a request',
  selectProcessesWithout: "looks at the server's own list of connections",
  checkClock: 'compares the clock with the last records of all ledgers, for the operator',
  checkServer: 'reads the state of the server, for the operator',
  checkPrivileges: 'reads the privileges of the login, for the operator',
  checkConnections: 'reads the limits of the server, for the operator',
  checkSettings: 'reads the settings of the server, for the operator',
  checkServerPages: 'reads the checksums of the server, for the operator',
  selectInstallation: 'compares a whole database with its data folder, never for a request',
  insertInstallation: 'the installation is that of the whole database',
  lockCertificates: 'the certificate of a data folder names every ledger',
  selectStored: 'compares what this machine signed for any ledger, at a start, never for a request',
  selectKeyState: 'the master key is that of the whole database',
  lockKeyState: 'the master key is that of the whole database',
  insertKeyState: 'the master key is that of the whole database',
  updateKeyState: 'the master key is that of the whole database',
  sealingKey: 'the master key is that of the whole database',
  upsertKeptKeys: 'keys that outlive the master key are those of the whole database',
  openKeptKeys: 'keys that outlive the master key are those of the whole database',
  callErase: 'calls the function that erases, whose first argument is the ledger',
  callForget: 'calls the function that forgets an assignment, whose first argument is the ledger',
  giveBackActive: 'puts back the jobs of a worker that died, whatever they work for',
  selectPageRows: 'cuts what a statement of a room reads, which names its ledger by itself',
  selectUnsignedLedgers: 'finds the ledgers that work is due for, before there is a scope',
  selectUnrebuiltLedgers: 'finds the ledgers that work is due for, before there is a scope',
  thinCheckpoints:
    'calls a function of the database, which takes the ledger and names it for each table',
  selectQueueDepths: 'counts for the operator, over all ledgers, never for a request of a tenant',
  countKeptExports: 'counts for the operator, over all ledgers, never for a request of a tenant',
  sumChainHeads: 'counts for the operator, over all ledgers, never for a request of a tenant',
  selectRestoredLedgers: 'lists for the start of the service, never for a request',
  leaseStatement: 'rate limits hold for both ledgers of an organisation, and hold no user data',
};

interface Statement {
  readonly place: string;
  /** The function that contains the statement. */
  readonly name: string;
  /** With the expressions of its placeholders, as `${…}`. */
  readonly text: string;
}

const VERB = /^\s*(with|select|insert|update|delete|merge|truncate|copy)\b/i;

/** Every whole statement in a source file that uses the `sql` tag. */
function statementsOf(place: string, source: string): Statement[] {
  const file = ts.createSourceFile(place, source, ts.ScriptTarget.Latest, true);
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      const text = node.template.getText().slice(1, -1);
      if (VERB.test(text)) found.push({ place, name: functionAround(node), text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function functionAround(node: ts.Node): string {
  if (ts.isFunctionDeclaration(node)) return node.name?.text ?? '';
  return node.parent === undefined ? '' : functionAround(node.parent);
}

const TABLE =
  /\b(?:from|join|update|into|using)\s+(?!unnest\b|lateral\b|set\b|skip\b)([a-z_]+|\$\{raw\([a-z]+\)\})/gi;
const INSERT =
  /\binsert\s+into\s+[a-z_]+(?:\s+as\s+[a-z_]+)?\s*\(\s*ledger_id\b[^)]*\)\s*(?:values\s*\(|select\s+)\$\{ledgerId\}/gi;
const PREDICATE = /\b(?:[a-z]\.)?ledger_id\s*=\s*(?:\$\{ledgerId\}|[a-z]\.ledger_id)/gi;
/** A statement in a plain string. */
const PLAIN = /(text|query)\s*[:(]\s*['"`]\s*(select|insert|update|delete)/i;
const ANCHOR = /\$\{ledgerId\}/;

/** A name that a statement defines itself: literally, or by a fragment such as `ratesTable`. */
const OWN_NAME = /\b([a-z_]+)\s+as\s+(?:materialized\s+)?\(|\$\{([a-z]+)Table\(/gi;

/**
 * Whether each table of the statement is restricted to its ledger, by a predicate or the first
 * column.
 */
function isScoped({ text }: Statement): boolean {
  const bare = text.replace(/'[^']*'/g, "''").replace(/extract\s*\([^)]*\)/gi, '');
  const count = (pattern: RegExp) => bare.match(pattern)?.length ?? 0;
  const own = new Set([...bare.matchAll(OWN_NAME)].map(([, name, fragment]) => name ?? fragment));
  const tables = [...bare.matchAll(TABLE)].filter(([, name]) => !own.has(name)).length;
  return ANCHOR.test(bare) && count(PREDICATE) + count(INSERT) >= tables && tables > 0;
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(SRC, join(entry.parentPath, entry.name)));
const statements = files.flatMap((path) =>
  statementsOf(path, readFileSync(join(SRC, path), 'utf8')),
);

describe('SQL statements', () => {
  it('The SQL statements of every store are found', () => {
    const places = new Set(statements.map(({ place }) => place));
    const stores = files.filter((path) => /\/store\/[^/]+\.ts$/.test(path));
    expect(stores.length).toBeGreaterThan(40);
    // These are parts of statements in other files.
    const parts = new Set([
      'domains/answers/analytics/store/conditions.ts',
      'domains/answers/experiments/store/conversion.ts',
      'domains/answers/experiments/store/customer.ts',
      'domains/judgement/liability/store/estimate-columns.ts',
      'domains/record/decisions/store/choice.ts',
    ]);
    for (const path of stores) if (!parts.has(path)) expect(places).toContain(path);
    for (const path of ['lock-head', 'move-head', 'read-head', 'create-chain', 'select-reach']) {
      expect(places).toContain(`platform/chain/${path}.ts`);
    }
  });

  it.for(statements.map((statement) => [statement.place, statement.name, statement] as const))(
    'In %s the statement %s names the ledger for each of its tables, or is a listed exception',
    ([, name, statement]) => {
      expect(isScoped(statement) || name in WITHOUT_LEDGER, statement.text).toBe(true);
    },
  );

  it('Every SQL statement is written with the sql tag, so that the search finds it', () => {
    const outside = files
      .filter(
        (path) =>
          !/^platform\/(embedded\/|migrate\.ts|purge\.ts|database\.ts|jobs\/migrate-jobs\.ts)|^domains\/sources\/accounting\/connectors\//.test(
            path,
          ),
      )
      .filter((path) => PLAIN.test(readFileSync(join(SRC, path), 'utf8')));
    expect(outside).toEqual([]);
    expect("db.query({ text: 'select a from t' })").toMatch(PLAIN);
  });
});

describe('Listed exceptions', () => {
  it.for(Object.keys(WITHOUT_LEDGER))('The exception for %s is still needed', (name) => {
    const own = statements.filter((statement) => statement.name === name);
    expect(own).not.toEqual([]);
    expect(own.every(isScoped)).toBe(false);
  });
});

describe('Search for unscoped statements', () => {
  /** `<ledgerId>` stands for a placeholder. */
  const check = (text: string) => {
    const statement = text.replace(/<([^>]+)>/g, (_, name: string) => `\${${name}}`);
    return statementsOf('a.ts', `const f = () => sql\`${statement}\`;`).map(isScoped);
  };

  it.for([
    'select a from t where ledger_id = <ledgerId>',
    'select a from t x where x.ledger_id = <ledgerId> and b = <b>',
    'select a from t x join u y on y.ledger_id = x.ledger_id where x.ledger_id = <ledgerId>',
    'insert into t (ledger_id, a) values (<ledgerId>, <a>)',
    'insert into t (ledger_id, a) select <ledgerId>, a from unnest(<a>::text[]) as r (a)',
    'update t set a = <a> where ledger_id = <ledgerId>',
    'select (select max(a) from <raw(chain)> where ledger_id = <ledgerId>) from t where ledger_id = <ledgerId>',
  ])('The search accepts: %s', (text) => expect(check(text)).toEqual([true]));

  it.for([
    'select a from t',
    'select a from t where ledger_id = <other>',
    "select a from t where b = 'ledger_id = <ledgerId>'",
    'select a from t x join u y on y.a = x.a where x.ledger_id = <ledgerId>',
    'select (select max(a) from u) from t where ledger_id = <ledgerId>',
    'insert into t (a, ledger_id) values (<a>, <ledgerId>)',
    'insert into t (ledger_id, a) values (<other>, <a>)',
    'insert into t (a) select a from unnest(<a>::text[]) as r (a)',
    'update t set ledger_id = <ledgerId> from u',
    'delete from t',
    'truncate t',
  ])('The search reports: %s', (text) => expect(check(text)).toEqual([false]));
});
