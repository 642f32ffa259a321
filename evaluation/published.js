// What is published of the evaluation: a data file with every figure, and the tables of the page, which follow from it.
import { readFileSync, writeFileSync } from 'node:fs';
import { figure, signed, table } from './report.js';

/** Each column of the data file, with its value for a row of a world. */
const COLUMNS = {
  world: ({ world }) => world.name,
  set: ({ world }) => world.block ?? 'simulated',
  description: ({ world }) => world.description,
  seeds: ({ world, row }) => String(row.budget.seeds ?? world.seeds),
  events: ({ world }) => String(Math.round(world.facts.events)),
  decisions: ({ world }) => String(Math.round(world.facts.decisions)),
  share_caused: ({ world }) => cell(world.facts.caused),
  share_unrecorded: ({ world }) => cell(world.facts.unrecorded),
  share_causeless: ({ world }) => cell(world.facts.causeless),
  share_identified: ({ world }) => cell(world.facts.identified),
  lag_hours_p5: ({ world }) => world.facts.lag_p5.toFixed(1),
  lag_hours_p50: ({ world }) => world.facts.lag_p50.toFixed(1),
  lag_hours_p95: ({ world }) => world.facts.lag_p95.toFixed(1),
  method: ({ row }) => row.method,
  reviews: ({ row }) => String(row.budget.reviews),
  reviews_wrong: ({ row }) => String(row.budget.wrong),
  ...ofMean('right_first', 'right_identified', 'causeless', 'unrecorded', 'allocated'),
  ...ofMean('ece', 'floor', 'pr_auc', 'brier'),
  lead: ({ row }) => cell(row.lead.mean),
  lead_error: ({ row }) => cell(row.lead.error),
  ...ofMean('precision_matched', 'recall_matched', 'precision_guessed', 'recall_guessed'),
  worst_right_first: ({ row }) => cell(row.worst.right_first),
  micros: ({ row }) => row.micros.toFixed(0),
  missed: ({ missed }) => missed.map(({ title, value }) => `${title} ${figure(value)}`).join('; '),
};
const NAMES = Object.keys(COLUMNS);
/** The figures of the summary, with their titles. */
const FIGURES = {
  right_first: 'Right first',
  lead: 'Lead over join',
  causeless: 'Causeless',
  allocated: 'Allocated ÷ true',
  ece: 'ECE',
};
/** The goals, and the column that is empty where one cannot be judged. */
const GOALS = {
  'right first, lead over the join': 'lead',
  'right first where identified': 'right_identified',
  'suggested for causeless': 'causeless',
  'allocated ÷ true, least': 'allocated',
  'allocated ÷ true, most': 'allocated',
  'calibration error above the floor': 'ece',
};
const WORST_NAMED = 3;

/** @typedef {Record<string, string>} DataRow cells by column */

/**
 * @param {{ worlds: object[], goals: import('./goals.js').Goal[] }} results
 * @param {readonly DataRow[]} published rows of worlds that were not measured now stay
 * @returns {DataRow[]}
 */
export function merge({ worlds, goals }, published) {
  const measured = worlds.flatMap((world) => world.rows.map((row) => dataRow(world, row, goals)));
  const fresh = grouped(measured, ({ world }) => world);
  const known = new Set(published.map(({ world }) => world));
  const kept = [...grouped(published, ({ world }) => world)].flatMap(
    ([world, rows]) => fresh.get(world) ?? rows,
  );
  return [...kept, ...measured.filter(({ world }) => !known.has(world))];
}

function dataRow(world, row, goals) {
  const missed = goals.filter(
    (goal) =>
      !goal.met &&
      goal.world === world.name &&
      row.method === 'product' &&
      goal.budget === row.budget,
  );
  const context = { world, row, missed };
  return Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name](context)]));
}

/** @param {readonly DataRow[]} rows */
export function toCsv(rows) {
  const lines = [NAMES, ...rows.map((row) => NAMES.map((name) => row[name] ?? ''))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

/**
 * @param {string} text what toCsv made
 * @returns {DataRow[]}
 */
export function fromCsv(text) {
  const [names, ...lines] = text.trimEnd().split('\n').map(cellsOf);
  return lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]])));
}

function cellsOf(line) {
  return Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, text, plain]) =>
    text === undefined ? plain : text.replaceAll('""', '"'),
  );
}

const quoted = (text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/**
 * The tables of the page, by name.
 * @param {readonly DataRow[]} rows
 */
export function toBlocks(rows) {
  return {
    headline: headline(rows.filter(({ set }) => set === 'simulated')),
    data: dataTable(rows.filter(({ set }) => set !== 'simulated')),
    goals: goalTable(rows.filter(({ set, method }) => set !== 'traces' && method === 'product')),
  };
}

/** Medians over the worlds, with the range that holds eight of ten worlds. */
function headline(rows) {
  const compared = rows.filter(({ method }) => method === 'product' || method === 'join');
  const groups = grouped(compared, (row) => `${row.method}\n${reviewsOf(row)}`);
  return table(
    ['Method', 'Reviews', ...Object.values(FIGURES)],
    [...groups.values()].map((group) => [
      group[0].method,
      reviewsOf(group[0]),
      ...Object.keys(FIGURES).map((name) => spread(group, name)),
    ]),
  ).join('\n');
}

function spread(rows, name) {
  const values = numbersOf(rows, name).sort((a, b) => a - b);
  const at = (share) => figure(values[Math.round(share * (values.length - 1))]);
  return `${at(0.5)} (${at(0.1)} to ${at(0.9)})`;
}

function dataTable(rows) {
  const shown = rows.filter((row) => row.method === 'product' && row.reviews_wrong === '0');
  return table(
    ['Data', 'Events', 'Reviews', ...Object.values(FIGURES)],
    shown.map((row) => [
      row.world,
      row.events,
      row.reviews,
      ...Object.keys(FIGURES).map((name) =>
        name === 'lead' ? `${signed(Number(row.lead))} ± ${row.lead_error}` : row[name] || '–',
      ),
    ]),
  ).join('\n');
}

function goalTable(rows) {
  const exact = rows.filter(({ reviews_wrong }) => reviews_wrong === '0');
  const budgets = [...new Set(exact.map(({ reviews }) => reviews))];
  const all = budgets.map((reviews) => {
    const group = exact.filter((row) => row.reviews === reviews);
    return `${group.filter(({ missed }) => missed === '').length} of ${group.length}`;
  });
  return table(
    ['Goal', ...budgets.flatMap((reviews) => [`Met, ${reviews} reviews`, 'Furthest off'])],
    [
      ...Object.entries(GOALS).map(([title, column]) => [
        title,
        ...budgets.flatMap((reviews) => {
          const judged = exact.filter((row) => row.reviews === reviews && row[column] !== '');
          return goalCells(judged, title);
        }),
      ]),
      ['all of them', ...all.flatMap((count) => [count, ''])],
    ],
  ).join('\n');
}

function goalCells(rows, title) {
  const isLeast = /lead|where|least/.test(title);
  const missed = rows
    .flatMap(({ world, missed: text }) => {
      const own = text.split('; ').find((part) => part.startsWith(`${title} `));
      return own === undefined ? [] : [{ world, value: Number(own.slice(title.length)) }];
    })
    .sort((a, b) => (isLeast ? a.value - b.value : b.value - a.value));
  const worst = missed.slice(0, WORST_NAMED).map(({ world, value }) => `${world} ${figure(value)}`);
  return [`${rows.length - missed.length} of ${rows.length}`, worst.join(', ') || '–'];
}

const reviewsOf = ({ reviews, reviews_wrong: wrong }) =>
  wrong === '0' ? reviews : `${reviews}, ${100 * Number(wrong)} % wrong`;

function numbersOf(rows, name) {
  return rows
    .map((row) => row[name])
    .filter((text) => text !== '')
    .map(Number);
}

/** The rows of each key, in the order of its first one. */
function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function ofMean(...names) {
  return Object.fromEntries(names.map((name) => [name, ({ row }) => cell(row.mean[name])]));
}

function cell(value) {
  return value === undefined || !Number.isFinite(value) ? '' : figure(value);
}

/**
 * Writes the data file, and the tables of the page between their marks.
 * @param {{ worlds: object[], goals: import('./goals.js').Goal[] }} results
 * @param {{ page: string, data: string }} paths
 */
export function publish(results, { page, data }) {
  const rows = merge(results, fromCsv(readFileSync(data, 'utf8')));
  writeFileSync(data, toCsv(rows));
  let text = readFileSync(page, 'utf8');
  for (const [name, block] of Object.entries(toBlocks(rows))) text = renewBlock(text, name, block);
  writeFileSync(page, text);
}

/** @returns the text with another block between its two marks */
export function renewBlock(text, name, block) {
  const [begin, end] = [`<!-- measured: ${name} -->`, `<!-- /measured: ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${begin} … ${end}`);
  return `${text.slice(0, from + begin.length)}\n${block}\n${text.slice(to)}`;
}
