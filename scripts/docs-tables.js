// docs/data/columns.csv, made of the registry of columns.

/** How docs/data.md names what fixes a column. */
const BASES = {
  identity: 'names the row',
  chain: 'the chain',
  entry: 'a record of activity',
  checkpoint: 'a checkpoint',
  recomputed: 'computed again',
  claim: 'a claim',
  unchecked: 'not compared',
};

const HEAD = ['table', 'owner', 'kind', 'columns', 'shown_by'];

/** One row for the columns of a table that are of one kind and fixed by the same. */
export function columnsCsv(tables) {
  const names = Object.keys(tables).sort();
  const rows = [HEAD, ...names.flatMap((name) => rowsOf(name, tables[name]))];
  return rows.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function rowsOf(name, { owner, columns }) {
  const rows = new Map();
  for (const [column, { kind, basis }] of Object.entries(columns)) {
    const fixed = [BASES[basis.by], basis.why].filter(Boolean).join(': ');
    const key = `${kind} ${fixed}`;
    if (!rows.has(key)) rows.set(key, { kind, fixed, names: [] });
    rows.get(key).names.push(column);
  }
  return [...rows.values()].map(({ kind, fixed, names }) => [
    name,
    owner,
    kind,
    names.sort().join(' '),
    fixed,
  ]);
}
