// The data files of the documentation that follow from the code.
import { metricRows } from './docs-generate.js';
import { settingRows } from './docs-settings.js';

/** The data files, by name. */
export const DATA_FILES = {
  'columns.csv': ({ tables }) => columnsCsv(tables),
  'findings.csv': ({ findings }) => csv([['code', 'message'], ...Object.entries(findings)]),
  'link-types.csv': ({ settings }) => linkTypesCsv(settings),
  'metrics.csv': ({ metrics }) => csv([METRIC_HEAD, ...metricRows(metrics).map(plain)]),
  'settings.csv': ({ settings }) => csv([SETTING_HEAD, ...settingRows(settings).map(plain)]),
};

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

const METRIC_HEAD = ['metric', 'kind', 'labels', 'meaning'];
const SETTING_HEAD = ['setting', 'default', 'allowed', 'meaning'];
/** Cells of a data file have no Markdown. */
const plain = (cells) => cells.map((cell) => cell.replaceAll('`', ''));

const HEAD = ['table', 'owner', 'kind', 'columns', 'shown_by'];

/** One row for the columns of a table that are of one kind and fixed by the same. */
function columnsCsv(tables) {
  const names = Object.keys(tables).sort();
  return csv([HEAD, ...names.flatMap((name) => rowsOf(name, tables[name]))]);
}

/** The default rows of link types, in the order in which they apply. */
function linkTypesCsv({ properties }) {
  const rows = properties.attribution.properties.default_link_types.default.map((row) => {
    const goesOut = ['cost', 'refund', 'loss'].includes(row.link_type) && !row.reversal;
    return [
      row.words.join(' '),
      goesOut ? 'out' : 'in',
      row.link_type,
      String(row.reversal === true),
    ];
  });
  return csv([['words', 'money', 'link_type', 'reversal'], ...rows]);
}

const csv = (rows) => rows.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
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
