import { loadModule, parseSync } from 'libpg-query';

await loadModule();

/** A part of the tree that PostgreSQL's grammar makes of a statement. */
export type Tree = string | number | boolean | readonly Tree[] | Node;
export type Node = { readonly [name: string]: Tree | undefined };

/** The statements of a text, each as one node that names its kind. */
export function statementsOf(text: string): readonly Node[] {
  const parsed: Node = JSON.parse(JSON.stringify(parseSync(text)));
  return listAt(parsed, 'stmts').map((statement) => nodeAt(statement, 'stmt'));
}

function isNode(tree: Tree | undefined): tree is Node {
  return typeof tree === 'object' && !isList(tree);
}

function isList(tree: Tree | undefined): tree is readonly Tree[] {
  return Array.isArray(tree);
}

const NOTHING: Node = {};

/** The node below, or one without members. */
export function nodeAt(tree: Tree | undefined, ...path: readonly string[]): Node {
  let node = isNode(tree) ? tree : NOTHING;
  for (const name of path) {
    const next = node[name];
    node = isNode(next) ? next : NOTHING;
  }
  return node;
}

export function listAt(tree: Tree | undefined, name: string): readonly Tree[] {
  const list = isNode(tree) ? tree[name] : undefined;
  return isList(list) ? list : [];
}

export function textAt(tree: Tree | undefined, name: string): string | null {
  const text = isNode(tree) ? tree[name] : undefined;
  return typeof text === 'string' ? text : null;
}

/** The names of a list of names. */
export function namesAt(tree: Tree | undefined, name: string): string[] {
  return listAt(tree, name).map((part) => textAt(nodeAt(part, 'String'), 'sval') ?? '*');
}

const QUERIES = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'];

/** The one of the kinds of queries that a node is; null for all others. */
export function queryIn(tree: Tree | undefined): readonly [kind: string, query: Node] | null {
  for (const kind of QUERIES) {
    const query = isNode(tree) ? tree[kind] : undefined;
    if (isNode(query)) return [kind, query];
  }
  return null;
}

/** The outermost queries below a part of a tree. */
export function queriesBelow(tree: Tree | undefined): Node[] {
  if (isList(tree)) return tree.flatMap(queriesBelow);
  if (!isNode(tree)) return [];
  return queryIn(tree) === null ? Object.values(tree).flatMap(queriesBelow) : [tree];
}
