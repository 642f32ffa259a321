// Counts what ARCHITECTURE.md wants less of, in the service and the packages made for it alone:
// node scripts/structure.js [--json]
// `--reads` lists the tables that a part of the service reads past their owner.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import ts from 'typescript';
import { buildOrExit } from '../packages/server/bin/build/ensure.js';
import {
  belongsTo,
  fragmentsOf,
  partOf,
  readSources,
  readTables,
  writtenTables,
} from './support/statements.js';

const ROOT = join(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'packages/server/src');

/** Types that say which ledger, and types that reach a database. */
const SCOPE = /^(Readonly<)?(Scope|StoredScope|Principal|Pick<(Scope|Principal))\b/;
const DATABASE =
  /^(Database|Queryable|Transaction|Walk|\w*(Tools|Service)|Pick<\w*(Tools|Service))\b/;
const LEDGER = /^Ledger(Reader|Writer)?$/;
const TOOLS = /^(\w*(Tools|Service)|Pick<\w*(Tools|Service))\b/;
/** What only the service uses. */
const PARTS = [
  'amounts',
  'attribution',
  'demo',
  'experiments',
  'liability',
  'mcp',
  'numerics',
  'watch',
];
const MANY_PARAMETERS = 4;
const SMALL_FILE = 30;
const PAST = /\b(former|earlier|older|previous) (releases?|versions?)\b|\bretired settings?\b/i;

await buildOrExit();
const { TABLES } = await import('#server/tables/registry');
const sources = readSources();
const fragments = sources.flatMap(fragmentsOf);
const reads = pastTheOwner(fragments, readTables);

if (process.argv.includes('--reads'))
  process.stdout.write(reads.map((read) => `${read}\n`).join(''));
else print(count([...sources, ...PARTS.flatMap((name) => readSources(name))]));

/** @param {readonly import('./support/statements.js').Source[]} all */
function count(all) {
  const functions = all.flatMap(({ file }) => functionsOf(file));
  const parameters = functions.map((one) => one.parameters.length);
  const many = parameters.filter((number) => number >= MANY_PARAMETERS).length;
  const lines = all.map(({ file }) => file.getLineStarts().length - 1).sort((a, b) => a - b);
  const sum = lines.reduce((total, number) => total + number, 0);
  const imports = all.flatMap(({ file }) => file.statements.filter(ts.isImportDeclaration));
  const small = lines.filter((number) => number <= SMALL_FILE).length;
  const across = all.flatMap(({ file }) => file.text.match(/\.queryAcross\b/g) ?? []);
  const worker = readFileSync(join(SOURCE, 'worker.ts'), 'utf8');
  return {
    files: all.length,
    lines: sum,
    'lines of the median file': lines[lines.length >> 1],
    [`files of at most ${SMALL_FILE} lines, of a hundred`]: Math.round((100 * small) / all.length),
    'lines of imports, of a thousand': Math.round((1000 * linesOf(imports)) / sum),
    'exported names that several files declare': repeatedNames(all).length,
    functions: functions.length,
    'functions that take a scope and a database': functions.filter(takesBoth).length,
    'functions that take a ledger and a bag of tools': functions.filter(takesTools).length,
    'functions with four or more parameters': many,
    'the same, of a thousand functions': Math.round((1000 * many) / functions.length),
    'searches for due work, by timers': worker.match(/\bevery: /g)?.length ?? 0,
    'queues of jobs': all.flatMap(({ file }) => file.text.match(/^ {2}retries: \d/gm) ?? []).length,
    'statements across ledgers': across.length,
    'writes of tables that another domain owns': pastTheOwner(fragments, writtenTables).length,
    'tables read by domains other than their owner': new Set(
      reads.map((read) => read.split(' ')[1]),
    ).size,
    'the same, counted for each of these domains': reads.length,
    'files that speak of former releases': all.filter(({ file }) => PAST.test(file.text)).length,
  };
}

/** @param {readonly ts.Node[]} nodes */
function linesOf(nodes) {
  const lines = nodes.map((node) => node.getText().split('\n').length);
  return lines.reduce((total, number) => total + number, 0);
}

/** @param {readonly import('./support/statements.js').Source[]} all */
function repeatedNames(all) {
  const names = all.flatMap(({ file }) =>
    file.statements
      .filter(isExported)
      .flatMap((statement) =>
        ts.isVariableStatement(statement)
          ? statement.declarationList.declarations.map(({ name }) => name.getText())
          : [statement.name?.getText() ?? []].flat(),
      ),
  );
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

/** @param {ts.Statement} statement */
function isExported(statement) {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
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
function takesTools({ parameters }) {
  const types = parameters.map(({ type }) => type?.getText() ?? '');
  return types.some((type) => LEDGER.test(type)) && types.some((type) => TOOLS.test(type));
}

/** @param {ts.SignatureDeclaration} one */
function takesBoth({ parameters }) {
  const types = parameters.map(({ type }) => type?.getText() ?? '');
  return types.some((type) => SCOPE.test(type)) && types.some((type) => DATABASE.test(type));
}

/** The tables that a part of the service uses, of those that another part owns. */
function pastTheOwner(fragments, tablesOf) {
  const found = fragments.flatMap((fragment) =>
    tablesOf(fragment)
      .filter((table) => table in TABLES && !belongsTo(partOf(fragment.path), TABLES[table].owner))
      .map((table) => `${partOf(fragment.path)} ${table} of ${TABLES[table].owner}`),
  );
  return [...new Set(found)].sort();
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
