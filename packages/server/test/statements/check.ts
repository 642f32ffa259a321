import { LEDGER, Level, type Relation } from './level.js';
import {
  listAt,
  type Node,
  namesAt,
  nodeAt,
  queriesBelow,
  queryIn,
  statementsOf,
  type Tree,
  textAt,
} from './tree.js';

/** Whether a column that a query returns, by its name or its position, is the ledger that a parameter names. */
type Output = (column: string | number) => boolean;

/** What the names of common table expressions return. */
type Known = ReadonlyMap<string, Output>;

const ALWAYS: Output = () => true;

/**
 * The tables of a statement whose rows it does not restrict to one ledger, each with what is wrong. A table is restricted by
 * `ledger_id = $1`, or by the `ledger_id` of what is restricted itself, in its own WHERE or ON.
 * @param tables those whose rows belong to ledgers
 */
export function findUnrestricted(text: string, tables: ReadonlySet<string>): string[] {
  const check = new Check(tables);
  for (const statement of statementsOf(text)) check.statement(statement);
  return check.problems;
}

class Check {
  readonly problems: string[] = [];
  readonly #tables: ReadonlySet<string>;
  readonly #done = new Map<Tree, Output>();

  constructor(tables: ReadonlySet<string>) {
    this.#tables = tables;
  }

  statement(statement: Node): void {
    for (const relation of listAt(statement.TruncateStmt, 'relations')) {
      const name = this.#tableOf(nodeAt(relation, 'RangeVar'));
      if (name !== null) this.problems.push(`${name}: it is emptied for all ledgers`);
    }
    const copied = this.#tableOf(nodeAt(statement, 'CopyStmt', 'relation'));
    if (copied !== null) this.problems.push(`${copied}: it is copied for all ledgers`);
    for (const kind of ['ExplainStmt', 'PrepareStmt', 'DeclareCursorStmt', 'CopyStmt']) {
      const { query } = nodeAt(statement, kind);
      if (query !== undefined) this.#query(query, null, new Map());
    }
    if (queryIn(statement) !== null) this.#query(statement, null, new Map());
  }

  #query(tree: Tree, outer: Level | null, known: Known): Output {
    const done = this.#done.get(tree);
    if (done !== undefined) return done;
    const [kind, query] = queryIn(tree) ?? ['', {}];
    const output =
      kind === 'SelectStmt'
        ? this.#select(query, outer, known)
        : this.#change(kind, query, outer, known);
    this.#done.set(tree, output);
    return output;
  }

  #select(select: Node, outer: Level | null, above: Known): Output {
    const known = this.#with(select, outer, above);
    if (textAt(select, 'op') !== 'SETOP_NONE') {
      const left = this.#select(nodeAt(select.larg), outer, known);
      const right = this.#select(nodeAt(select.rarg), outer, known);
      return (column) => left(column) && right(column);
    }
    const level = new Level(outer);
    for (const item of listAt(select, 'fromClause')) this.#from(item, level, known);
    level.require(select.whereClause, level.relations);
    this.#finish(select, level, known);
    const rows = listAt(select, 'valuesLists');
    if (rows.length > 0) return (column) => rows.every((row) => isGiven(row, column, level));
    return (column) => isReturned(listAt(select, 'targetList'), column, level);
  }

  /** INSERT, UPDATE, DELETE and MERGE. */
  #change(kind: string, change: Node, outer: Level | null, above: Known): Output {
    const known = this.#with(change, outer, above);
    const level = new Level(outer);
    const target = this.#range(nodeAt(change.relation), new Map());
    level.add(target);
    if (target.table !== null && kind === 'InsertStmt') {
      target.isRestricted = this.#isInserted(change, outer, known);
    }
    const sources = [...listAt(change, 'fromClause'), ...listAt(change, 'usingClause')];
    if (change.sourceRelation !== undefined) sources.push(change.sourceRelation);
    for (const item of sources) this.#from(item, level, known);
    level.require(change.whereClause, level.relations);
    // MERGE reads the rows of its source that match nothing, too.
    level.require(change.joinCondition, [target]);
    if (target.table !== null && mergesNewRows(change)) {
      this.problems.push(`${target.name}: MERGE inserts rows, whose ledger is not checked`);
    }
    const assigned = kind === 'UpdateStmt' ? listAt(change, 'targetList') : [];
    if (assigned.some((one) => textAt(nodeAt(one, 'ResTarget'), 'name') === LEDGER)) {
      this.problems.push(`${target.name}: its rows change their ledger`);
    }
    this.#finish(change, level, known);
    return ALWAYS;
  }

  #isInserted(insert: Node, outer: Level | null, known: Known): boolean {
    const names = listAt(insert, 'cols').map((column) =>
      textAt(nodeAt(column, 'ResTarget'), 'name'),
    );
    const position = names.indexOf(LEDGER);
    if (position === -1 || insert.selectStmt === undefined) return false;
    return this.#query(insert.selectStmt, outer, known)(position);
  }

  /** The common table expressions that a query can name. */
  #with(query: Node, outer: Level | null, above: Known): Known {
    const known = new Map(above);
    const clause = nodeAt(query.withClause);
    for (const part of listAt(clause, 'ctes')) {
      const expression = nodeAt(part, 'CommonTableExpr');
      const name = textAt(expression, 'ctename') ?? '';
      // A recursive one returns what its first part does, and rows that it restricts by itself.
      if (clause.recursive === true) known.set(name, ALWAYS);
      const { ctequery = '' } = expression;
      const output = this.#query(ctequery, outer, known);
      known.set(name, renamed(output, namesAt(expression, 'aliascolnames')));
    }
    return known;
  }

  /** Adds the relations of an item of FROM or USING. */
  #from(item: Tree, level: Level, known: Known): Relation[] {
    const join = nodeAt(item, 'JoinExpr');
    if ('larg' in join) return this.#join(join, level, known);
    const table = nodeAt(item, 'RangeVar');
    if ('relname' in table) return [level.add(this.#range(table, known))];
    const [kind = ''] = Object.keys(nodeAt(item));
    const alias = nodeAt(item, kind, 'alias');
    const relation = level.add({
      name: textAt(alias, 'aliasname') ?? '',
      table: null,
      isRestricted: false,
    });
    const { subquery } = nodeAt(item, 'RangeSubselect');
    if (subquery !== undefined) {
      level.subqueries.push({ relation, query: subquery, names: namesAt(alias, 'colnames') });
    }
    return [relation];
  }

  #join(join: Node, level: Level, known: Known): Relation[] {
    const left = this.#from(join.larg ?? '', level, known);
    const right = this.#from(join.rarg ?? '', level, known);
    const sides: Readonly<Record<string, Relation[]>> = {
      JOIN_INNER: [...left, ...right],
      JOIN_LEFT: right,
      JOIN_RIGHT: left,
    };
    const of = sides[textAt(join, 'jointype') ?? ''] ?? [];
    level.require(join.quals, of);
    if (namesAt(join, 'usingClause').includes(LEDGER)) {
      for (const one of left) for (const other of right) level.require(equality(one, other), of);
    }
    return [...left, ...right];
  }

  #range(range: Node, known: Known): Relation {
    const table = textAt(range, 'relname') ?? '';
    const name = textAt(nodeAt(range.alias), 'aliasname') ?? table;
    const output = range.schemaname === undefined ? known.get(table) : undefined;
    if (output !== undefined) return { name, table: null, isRestricted: output(LEDGER) };
    return { name, table: this.#tableOf(range), isRestricted: false };
  }

  #tableOf(range: Node): string | null {
    const table = textAt(range, 'relname') ?? '';
    return this.#tables.has(table) ? table : null;
  }

  /** Reports the tables that stay unrestricted, and checks what is inside the query. */
  #finish(query: Node, level: Level, known: Known): void {
    level.restrict();
    for (const { relation, query: inner, names } of level.subqueries) {
      relation.isRestricted = renamed(this.#query(inner, level, known), names)(LEDGER);
      level.restrict();
    }
    for (const { name, table, isRestricted } of level.relations) {
      if (table === null || isRestricted) continue;
      this.problems.push(
        `${table}${name === table ? '' : ` ${name}`}: its rows may be of any ledger`,
      );
    }
    const { withClause: _with, selectStmt: _inserted, larg: _l, rarg: _r, ...rest } = query;
    for (const inner of queriesBelow(rest)) this.#query(inner, level, known);
  }
}

/** What a query returns under other names. */
function renamed(output: Output, names: readonly string[]): Output {
  if (names.length === 0) return output;
  const position = names.indexOf(LEDGER);
  return (column) => output(column === LEDGER && position !== -1 ? position : column);
}

function mergesNewRows(change: Node): boolean {
  const clauses = listAt(change, 'mergeWhenClauses').map((part) => nodeAt(part, 'MergeWhenClause'));
  return clauses.some((clause) => textAt(clause, 'commandType') === 'CMD_INSERT');
}

function isGiven(row: Tree, column: string | number, level: Level): boolean {
  if (typeof column === 'string') return false;
  return level.isRestricted(listAt(nodeAt(row, 'List'), 'items')[column]);
}

function isReturned(targets: readonly Tree[], column: string | number, level: Level): boolean {
  const values = targets.map((target) => nodeAt(target, 'ResTarget'));
  if (typeof column === 'number') return level.isRestricted(values[column]?.val);
  for (const value of values) {
    const fields = namesAt(nodeAt(value, 'val', 'ColumnRef'), 'fields');
    const name = textAt(value, 'name') ?? fields.at(-1);
    if (name === column) return level.isRestricted(value.val);
    if (name !== '*') continue;
    const all = level.relations.filter((one) => fields.length === 1 || one.name === fields[0]);
    if (all.some(({ isRestricted }) => isRestricted)) return true;
  }
  return false;
}

function equality(one: Relation, other: Relation): Tree {
  const column = ({ name }: Relation): Node => ({
    ColumnRef: { fields: [{ String: { sval: name } }, { String: { sval: LEDGER } }] },
  });
  const name = [{ String: { sval: '=' } }];
  return { A_Expr: { kind: 'AEXPR_OP', name, lexpr: column(one), rexpr: column(other) } };
}
