// Counts what ARCHITECTURE.md wants less of, in the source of the service: node scripts/structure.js [--json]
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'packages/server/src');
const SCOPE_TEST = 'packages/server/test/store-scope.unit.test.ts';

/** Types that say which ledger, and types that reach a database. */
const SCOPE = /^(Readonly<)?(Scope|StoredScope|Actor|Principal|Pick<(Scope|Principal))\b/;
const DATABASE =
  /^(Database|Queryable|Transaction|Walk|\w*(Tools|Service)|Pick<\w*(Tools|Service))\b/;
const MANY_PARAMETERS = 4;
const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+(?:public\.)?([a-z_]+)/gi;
/** Words that follow "update" elsewhere in a statement. */
const NO_TABLES = new Set(['set', 'skip', 'of', 'no', 'nothing', 'or']);
const PAST = /\b(former|earlier|older|previous) (releases?|versions?)\b|\bretired settings?\b/i;

/** @typedef {{ path: string, file: ts.SourceFile }} Source */

const sources = readdirSync(SOURCE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({
    path: relative(SOURCE, path),
    file: ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
  }));

print(count(sources));

/** @param {readonly Source[]} all */
function count(all) {
  const functions = all.flatMap(({ file }) => functionsOf(file));
  const parameters = functions.map((one) => one.parameters.length);
  const many = parameters.filter((number) => number >= MANY_PARAMETERS).length;
  const lines = all.map(({ file }) => file.getLineStarts().length - 1);
  const writers = writersOf(all);
  const text = readFileSync(join(ROOT, SCOPE_TEST), 'utf8');
  const exceptions = text.slice(text.indexOf('WITHOUT_LEDGER'), text.indexOf('\n};'));
  const worker = readFileSync(join(SOURCE, 'worker.ts'), 'utf8');
  return {
    files: all.length,
    lines: lines.reduce((sum, number) => sum + number, 0),
    functions: functions.length,
    'functions that take a scope and a database': functions.filter(takesBoth).length,
    'functions with four or more parameters': many,
    'the same, of a thousand functions': Math.round((1000 * many) / functions.length),
    'searches for due work, by timers': worker.match(/\bevery: /g)?.length ?? 0,
    'queues of jobs': all.filter(({ path }) => /queue[^/]*\.ts$/.test(path)).length,
    'statements that need not name their ledger': exceptions.match(/^ {2}\w+:/gm)?.length ?? 0,
    'tables that two domains write': [...writers.values()].filter(({ size }) => size > 1).length,
    'files that speak of former releases': all.filter(({ file }) => PAST.test(file.text)).length,
  };
}

/** @param {ts.SourceFile} file @returns {ts.SignatureDeclaration[]} */
function functionsOf(file) {
  /** @type {ts.SignatureDeclaration[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** @param {ts.SignatureDeclaration} one */
function takesBoth({ parameters }) {
  const types = parameters.map(({ type }) => type?.getText() ?? '');
  return types.some((type) => SCOPE.test(type)) && types.some((type) => DATABASE.test(type));
}

/**
 * The domains, or other folders, that write each table.
 * @param {readonly Source[]} all
 */
function writersOf(all) {
  /** @type {Map<string, Set<string>>} */
  const writers = new Map();
  for (const { path, file } of all) {
    const domain = /^domains\/[^/]+\/[^/]+/.exec(path)?.[0] ?? path.split('/')[0] ?? path;
    for (const text of statementsOf(file)) {
      for (const [, table = ''] of text.matchAll(WRITES)) {
        if (NO_TABLES.has(table)) continue;
        writers.set(table, (writers.get(table) ?? new Set()).add(domain));
      }
    }
  }
  return writers;
}

/** @param {ts.SourceFile} file @returns {string[]} */
function statementsOf(file) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      found.push(node.template.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** @param {Readonly<Record<string, number>>} counts */
function print(counts) {
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(counts, null, 2)}\n`);
    return;
  }
  for (const [what, number] of Object.entries(counts)) {
    process.stdout.write(`${number.toLocaleString('en').padStart(8)}  ${what}\n`);
  }
}
