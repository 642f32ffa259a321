// The table of docs/data.md, made of the registry of columns.

/** How docs/data.md calls what fixes a column. */
const BASES = {
  identity: 'names the row',
  chain: 'the chain',
  entry: 'a record of activity',
  checkpoint: 'a checkpoint',
  recomputed: 'computed again',
  claim: 'a claim',
  unchecked: 'not compared',
};

/** The rows of docs/data.md: one for the columns of a table that are of one kind and fixed by the same. */
export function tableRows(tables) {
  const names = Object.keys(tables).sort();
  return names.flatMap((name) => rowsOf(name, tables[name]));
}

function rowsOf(name, { owner, columns }) {
  const rows = new Map();
  for (const [column, { kind, basis }] of Object.entries(columns)) {
    const fixed = [BASES[basis.by], basis.why].filter(Boolean).join(': ');
    const key = `${kind} ${fixed}`;
    if (!rows.has(key)) rows.set(key, { kind, fixed, names: [] });
    rows.get(key).names.push(`\`${column}\``);
  }
  return [...rows.values()].map(({ kind, fixed, names }) => [
    `\`${name}\``,
    owner,
    kind,
    names.sort().join(', '),
    fixed,
  ]);
}
