// The sources of a package, and the SQL in them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const PACKAGES = join(import.meta.dirname, '../../packages');

/** @typedef {{ path: string, file: ts.SourceFile }} Source */
/** @typedef {{ path: string, text: string }} Fragment `text` has the expressions of its placeholders, as `${…}`. */

/** @param {string} name of a package @returns {Source[]} Paths are relative to its folder `src`. */
export function readSources(name = 'server') {
  const folder = join(PACKAGES, name, 'src');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => parseSource(relative(folder, path), readFileSync(path, 'utf8')));
}

/** @param {string} path @param {string} text @returns {Source} */
export function parseSource(path, text) {
  return { path, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** @param {Source} source @returns {Fragment[]} Everything that is written with the `sql` tag: statements and parts of them. */
export function fragmentsOf({ path, file }) {
  /** @type {Fragment[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') {
      found.push({ path, text: node.template.getText().slice(1, -1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const WRITES = /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(\$\{|[a-z_.]+)/gi;
/** Words that follow "update" elsewhere in a statement. */
const NO_TABLES = new Set(['set', 'skip', 'of', 'no', 'nothing', 'or']);
const READS = /\b(?:from|join|using)\s+([a-z_.]+)/gi;

/** @param {Fragment} fragment @returns {string[]} `${` stands for a table whose name is inserted. */
export function writtenTables({ text }) {
  return namesIn(text, WRITES).filter((name) => !NO_TABLES.has(name));
}

/** @param {Source} source @returns {string[]} The tables that it can change through `DerivedRows`; `${` for a name that it does not state. */
export function derivedTables({ file }) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'DerivedRows') {
      const [table] = node.arguments ?? [];
      found.push(table !== undefined && ts.isStringLiteral(table) ? table.text : '${');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** @param {Fragment} fragment @returns {string[]} With the names of its own subqueries. */
export function readTables({ text }) {
  const deleted = new Set(namesIn(text, /\bdelete\s+from\s+([a-z_.]+)/gi));
  return namesIn(text, READS).filter((name) => !deleted.has(name));
}

/** @param {string} text @param {RegExp} pattern */
function namesIn(text, pattern) {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name);
}

/** The domain that a source belongs to, or else its path without the ending. @param {string} path */
export function partOf(path) {
  return /^domains\/([^/]+\/[^/]+)/.exec(path)?.[1] ?? path.replace(/\.ts$/, '');
}

/** Whether a part of the service is the owner of a table, or inside it. @param {string} part @param {string} owner */
export function belongsTo(part, owner) {
  return part === owner || part.startsWith(`${owner}/`);
}
