interface Named {
  readonly name: string;
}

/**
 * An object with one member for each item, under its name.
 *
 * @example
 * ```ts
 * import { byName } from '@decision-ledger/contract/by-name';
 *
 * byName([{ name: 'a' }, { name: 'b' }], ({ name }) => name.length); // => { a: 1, b: 1 }
 * ```
 */
export function byName<Item extends Named, Value>(
  items: readonly Item[],
  make: (item: Item) => Value,
): Record<Item['name'], Value> {
  const table: Partial<Record<string, Value>> = {};
  for (const item of items) table[item.name] = make(item);
  if (!hasAll(table, items)) throw new TypeError('two items have the same name');
  return table;
}

function hasAll<Item extends Named, Value>(
  table: Partial<Record<string, Value>>,
  items: readonly Item[],
): table is Record<Item['name'], Value> {
  return Object.keys(table).length === items.length;
}
