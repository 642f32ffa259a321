import { listAt, type Node, namesAt, nodeAt, type Tree, textAt } from './tree.js';

export const LEDGER = 'ledger_id';

/** What a query reads or writes, by its name in it. */
export interface Relation {
  readonly name: string;
  /** The table, if it is one whose rows belong to ledgers. */
  readonly table: string | null;
  /** Whether it holds rows of the ledger alone that a parameter names. */
  isRestricted: boolean;
}

/** What must hold for the rows that a query takes of some of its relations. */
interface Condition {
  readonly expression: Tree;
  /** The relations whose rows it restricts. An outer join keeps all rows of the other side. */
  readonly of: readonly Relation[];
}

/** A query in FROM. One that is LATERAL sees the relations beside it. */
interface Subquery {
  readonly relation: Relation;
  readonly query: Tree;
  /** The names of its columns, if it is given others. */
  readonly names: readonly string[];
}

/** One query, without those inside it. */
export class Level {
  readonly relations: Relation[] = [];
  readonly subqueries: Subquery[] = [];
  readonly conditions: Condition[] = [];
  readonly outer: Level | null;

  constructor(outer: Level | null) {
    this.outer = outer;
  }

  add(relation: Relation): Relation {
    this.relations.push(relation);
    return relation;
  }

  /** Adds a condition, and each of those that are joined by AND. */
  require(expression: Tree | undefined, of: readonly Relation[]): void {
    if (expression === undefined) return;
    const joined = nodeAt(expression, 'BoolExpr');
    if (textAt(joined, 'boolop') !== 'AND_EXPR') this.conditions.push({ expression, of });
    else for (const part of listAt(joined, 'args')) this.require(part, of);
  }

  /** Restricts relations by the conditions, until that restricts no more. */
  restrict(): void {
    const pairs = this.conditions.flatMap(({ expression, of }) =>
      equalities(expression).flatMap(([left, right]) => [
        { left, right, of },
        { left: right, right: left, of },
      ]),
    );
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const { left, right, of } of pairs) {
        const relation = this.#own(left);
        if (relation === null || relation.isRestricted || !of.includes(relation)) continue;
        if (!this.isRestricted(right)) continue;
        relation.isRestricted = true;
        isChanged = true;
      }
    }
  }

  /** Whether the value of an expression is the ledger that a parameter names. */
  isRestricted(expression: Tree | undefined): boolean {
    const bare = withoutCast(expression);
    if ('ParamRef' in bare) return true;
    const column = columnOf(bare);
    if (column === null) return false;
    const relation = this.#own(bare);
    return relation?.isRestricted ?? this.outer?.isRestricted(bare) ?? false;
  }

  /** The relation of this level whose `ledger_id` an expression is. */
  #own(expression: Tree): Relation | null {
    const column = columnOf(withoutCast(expression));
    if (column === null) return null;
    const { qualifier } = column;
    if (qualifier !== null) return this.relations.find(({ name }) => name === qualifier) ?? null;
    const tables = this.relations.filter(({ table }) => table !== null);
    return tables[0] ?? (this.relations.length === 1 ? this.relations[0] : undefined) ?? null;
  }
}

/** The pairs that an equality compares, also that of two rows. */
function equalities(expression: Tree): (readonly [left: Tree, right: Tree])[] {
  const { A_Expr: comparison } = nodeAt(expression);
  if (textAt(comparison, 'kind') !== 'AEXPR_OP' || namesAt(comparison, 'name')[0] !== '=')
    return [];
  const { lexpr = '', rexpr = '' } = nodeAt(comparison);
  const left = listAt(nodeAt(lexpr, 'RowExpr'), 'args');
  const right = listAt(nodeAt(rexpr, 'RowExpr'), 'args');
  if (left.length === 0) return [[lexpr, rexpr]];
  return left.flatMap((part, index) => {
    const other = right[index];
    return other === undefined ? [] : [[part, other] as const];
  });
}

function withoutCast(expression: Tree | undefined): Node {
  const cast = nodeAt(expression, 'TypeCast');
  return 'arg' in cast ? withoutCast(cast.arg) : nodeAt(expression);
}

function columnOf(node: Node): { readonly qualifier: string | null } | null {
  const names = namesAt(nodeAt(node, 'ColumnRef'), 'fields');
  return names.at(-1) === LEDGER ? { qualifier: names.at(-2) ?? null } : null;
}
