import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PLACED_BY, type Placement, placements } from '#server/tables/placement';
import { SERVER } from '../support/paths.js';

const snapshot = readFileSync(join(SERVER, 'migrations/schema.snapshot.txt'), 'utf8');
const lines = (kind: string) =>
  snapshot
    .split('\n')
    .filter((line) => line.startsWith(`${kind} `))
    .map((line) => line.slice(kind.length + 1));

interface Schema {
  /** Tables with the columns of their primary keys and unique constraints. */
  readonly unique: readonly (readonly [table: string, columns: string])[];
  readonly references: readonly Reference[];
}

interface Reference {
  readonly from: string;
  readonly to: string;
  readonly columns: string;
  readonly toColumns: string;
}

const UNIQUE = /^(\S+) \S+ (?:PRIMARY KEY|UNIQUE) \((.*)\)$/;
const REFERENCE = /^(\S+) \S+ FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/;

function readSchema(constraints: readonly string[], indexes: readonly string[]): Schema {
  const unique = constraints.flatMap((line) => {
    const [, table = '', columns = ''] = UNIQUE.exec(line) ?? [];
    return table === '' ? [] : [[table, columns] as const];
  });
  const uniqueIndexes = indexes.flatMap((line) => {
    const [, table = '', columns = ''] =
      /CREATE UNIQUE INDEX \S+ ON (?:\w+\.)?(\w+) USING \w+ \(([^)]*)\)/.exec(line) ?? [];
    return table === '' ? [] : [[table, columns] as const];
  });
  const references = constraints.flatMap((line) => {
    const [, from = '', columns = '', to = '', toColumns = ''] = REFERENCE.exec(line) ?? [];
    return from === '' ? [] : [{ from, to, columns, toColumns }];
  });
  return { unique: [...unique, ...uniqueIndexes], references };
}

/** What a cluster would refuse to place. */
function faults(places: ReadonlyMap<string, Placement>, { unique, references }: Schema): string[] {
  const names = (columns: string) => columns.split(', ');
  const notUnique = unique
    .filter(
      ([table, columns]) =>
        places.get(table) === 'distributed' && !names(columns).includes(PLACED_BY),
    )
    .map(([table, columns]) => `${table} (${columns}) would have to be unique over all nodes`);
  const apart = references.flatMap(({ from, to, columns, toColumns }) => {
    const [one, other] = [places.get(from), places.get(to)];
    if (other === 'reference' && one !== 'local') return [];
    const isOnOneNode =
      one === 'distributed' &&
      other === 'distributed' &&
      names(columns).includes(PLACED_BY) &&
      names(columns).indexOf(PLACED_BY) === names(toColumns).indexOf(PLACED_BY);
    const isOnCoordinator = other === 'managed' && (one === 'managed' || one === 'reference');
    return isOnOneNode || isOnCoordinator ? [] : [`${from} refers to ${to}, which is elsewhere`];
  });
  return [...notUnique, ...apart];
}

const schema = readSchema(lines('constraint'), lines('index'));

it('Every table of the schema has a place, and none is placed that does not exist', () => {
  const tables = lines('table').map((line) => line.split(' ')[0]);
  expect([...placements().keys()].sort()).toEqual(tables.sort());
});

it('Everything that names a ledger is distributed, but for what is named', () => {
  const withLedger = lines('column').flatMap((line) => /^(\w+)\.ledger_id /.exec(line)?.[1] ?? []);
  const elsewhere = withLedger.filter((table) => placements().get(table) !== 'distributed');
  expect(elsewhere.sort()).toEqual(['api_keys', 'ledgers', 'sessions']);
});

it('Each table can be where it is placed: what is unique has the ledger, and keys refer to rows of the same node', () => {
  expect(schema.unique.length).toBeGreaterThan(60);
  expect(schema.references.length).toBeGreaterThan(20);
  expect(faults(placements(), schema)).toEqual([]);
});

/** Citus writes `case a when b` of a statement that changes rows as `case a when a = b`, which compares a text with a boolean. */
const SIMPLE_CASE = /\bcase\b(?!\s+when\b)[^;]*?\bwhen\b/gi;

it('No function of the schema has a simple case, which Citus writes anew', () => {
  const text = readFileSync(join(SERVER, 'migrations/0001_schema.sql'), 'utf8');
  expect(text.match(SIMPLE_CASE)).toBeNull();
  expect("set a = case b when 'c' then b end".match(SIMPLE_CASE)).toHaveLength(1);
  expect("set a = case when b = 'c' then b end".match(SIMPLE_CASE)).toBeNull();
});

describe('A table that cannot be placed is found', () => {
  const places = new Map<string, Placement>([
    ['a', 'distributed'],
    ['b', 'distributed'],
    ['m', 'managed'],
    ['l', 'local'],
    ['r', 'reference'],
  ]);
  it.for([
    ['a a_key UNIQUE (origin)', 1],
    ['a a_key UNIQUE (ledger_id, origin)', 0],
    ['m m_key UNIQUE (origin)', 0],
    ['a f FOREIGN KEY (ledger_id, x) REFERENCES b(ledger_id, y)', 0],
    ['a f FOREIGN KEY (x) REFERENCES b(y)', 1],
    ['a f FOREIGN KEY (ledger_id, x) REFERENCES b(y, ledger_id)', 1],
    ['a f FOREIGN KEY (ledger_id) REFERENCES r(ledger_id)', 0],
    ['a f FOREIGN KEY (ledger_id) REFERENCES m(ledger_id)', 1],
    ['m f FOREIGN KEY (ledger_id, x) REFERENCES a(ledger_id, x)', 1],
    ['l f FOREIGN KEY (ledger_id) REFERENCES r(ledger_id)', 1],
    ['r f FOREIGN KEY (org_id) REFERENCES m(org_id)', 0],
  ] as const)('Of this constraint there are faults: %s: %s', ([line, count]) => {
    expect(faults(places, readSchema([line], []))).toHaveLength(count);
  });
});
