import { readFileSync, writeFileSync } from 'node:fs';

const COLUMNS = {
  precision: 'Precision',
  recall: 'Recall',
  pr_auc: 'PR-AUC',
  brier: 'Brier',
  ece: 'ECE',
  ece_likeliest: 'ECE of 12',
  ece_first: 'ECE of first',
  allocated: 'Allocated ÷ true',
  right_first: 'Right first',
  causeless_suggested: 'Causeless suggested',
};

/** The blocks of the page by name; blocks without measurements are omitted. */
export function toMarkdown({ simulated, airline }) {
  const blocks = { simulated: simulatedBlock(simulated).join('\n') };
  if (airline !== null) blocks.airline = airlineBlock(airline).join('\n');
  return blocks;
}

export function toTables(results) {
  return Object.entries(toMarkdown(results))
    .map(([name, block]) => `\n${name}\n\n${block}\n`)
    .join('');
}

function simulatedBlock({ events, seeds, decisions, candidates, sharing, reachable, ...rest }) {
  const kinds = Object.entries(rest.kinds).map(([name, value]) => {
    const [method, kind] = name.split(': ');
    return { method, kind, value };
  });
  return [
    `${seeds.length} seeds of ${count(events)} events and about ${count(decisions)} decisions; an ` +
      `event has ${candidates.toFixed(0)} candidates on average, of which ${sharing.toFixed(0)} ` +
      `share something that says much; ${(100 * reachable).toFixed(0)} % of the causes are among ` +
      'the candidates. Mean over the seeds:',
    '',
    ...table(
      ['Method', ...Object.values(COLUMNS)],
      rest.methods.map(({ name, mean }) => [name, ...figures(mean)]),
    ),
    '',
    'The worst seed of each figure:',
    '',
    ...table(
      ['Method', ...Object.values(COLUMNS)],
      rest.methods.map(({ name, worst }) => [name, ...figures(worst)]),
    ),
    '',
    'Share of events with at least one suggestion:',
    '',
    ...table(
      ['Method', 'Cause recorded', 'Cause not recorded', 'Known customer', 'Stranger'],
      [...new Set(kinds.map(({ method }) => method))].map((method) => [
        method,
        ...kinds.filter((one) => one.method === method).map(({ value }) => figure(value)),
      ]),
    ),
    '',
    ...goalTable(rest.goals),
  ];
}

function airlineBlock({ decisions, events, variations, methods, goals }) {
  return [
    `${decisions} decisions, ${events} events, no reviews. As given:`,
    '',
    ...table(
      ['Method', ...Object.values(COLUMNS)],
      methods.map(({ name, given }) => [name, ...figures(given)]),
    ),
    '',
    `Each figure in the worst of ${variations} variations:`,
    '',
    ...table(
      ['Method', ...Object.values(COLUMNS)],
      methods.map(({ name, worst }) => [name, ...figures(worst)]),
    ),
    '',
    ...goalTable(goals),
  ];
}

function goalTable(goals) {
  return table(
    ['Goal', 'Value', 'Limit', 'Met'],
    goals.map(({ title, value, limit, atLeast, met }) => [
      title,
      figure(value),
      `${atLeast ? '≥' : '≤'} ${limit}`,
      met ? 'yes' : 'no',
    ]),
  );
}

const figures = (row) => Object.keys(COLUMNS).map((name) => figure(row[name]));
const count = (value) => Math.round(value).toLocaleString('en');

/** @param {number} value rounded to three significant digits */
function figure(value) {
  return Math.abs(value) >= 1 ? value.toFixed(2) : Number(value.toPrecision(3)).toString();
}

/**
 * @param {readonly string[]} head
 * @param {readonly string[][]} rows
 */
function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)];
}

/**
 * Replaces each block between its two markers.
 * @param {string} path
 * @param {Record<string, string>} blocks
 */
export function writeResults(path, blocks) {
  let text = readFileSync(path, 'utf8');
  for (const [name, block] of Object.entries(blocks)) {
    const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- /measured: ${name} -->`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`${path} has no ${begin} … ${end}`);
    text = `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`;
  }
  writeFileSync(path, text);
}
