import { budgetName } from './goals.js';

const COLUMNS = {
  right_first: 'Right first',
  right_identified: 'Identified',
  causeless: 'Causeless',
  unrecorded: 'Unrecorded',
  allocated: 'Allocated ÷ true',
  ece: 'ECE',
  floor: 'Floor',
  pr_auc: 'PR-AUC',
  brier: 'Brier',
  range_holds: 'Range holds',
  range_width: 'Range ÷ all money',
};
const LABEL_COLUMNS = {
  precision_matched: 'Precision, matched',
  recall_matched: 'Recall, matched',
  precision_guessed: 'Precision, guessed',
  recall_guessed: 'Recall, guessed',
};
const CASE_COLUMNS = {
  right_case_first: 'Right case first',
  precision_matched_case: 'Precision of matched, by case',
  matched_of_first_case: 'Matched money ÷ money whose case is first',
};

/**
 * The results as tables for a terminal.
 * @param {{ worlds: object[], goals: import('./goals.js').Goal[] }} results
 */
export function toTables({ worlds, goals }) {
  return [factsTable(worlds), resultTables(worlds), goalTable(goals)]
    .map((lines) => `\n${lines.join('\n')}\n`)
    .join('');
}

function factsTable(worlds) {
  return table(
    [
      'World',
      'Decisions',
      'Caused',
      'Unrecorded',
      'Causeless',
      'Identified',
      'Lag, h: 5 %',
      '50 %',
      '95 %',
    ],
    worlds.map(({ name, facts }) => [
      name,
      String(Math.round(facts.decisions)),
      ...['caused', 'unrecorded', 'causeless', 'identified'].map((key) => figure(facts[key])),
      ...['lag_p5', 'lag_p50', 'lag_p95'].map((key) => facts[key].toFixed(1)),
    ]),
  );
}

function resultTables(worlds) {
  return worlds.flatMap(({ name, description, seeds, facts, rows }) => [
    `**${name}**: ${description}. ${seeds} × ${Math.round(facts.events)} events.`,
    '',
    ...table(
      ['Method', 'Reviews', ...Object.values(COLUMNS), 'Lead over join', 'µs'],
      rows.map((row) => [
        row.method,
        budgetName(row.budget),
        ...Object.keys(COLUMNS).map((key) => figure(row.mean[key])),
        `${signed(row.lead.mean)} ± ${figure(row.lead.error)}`,
        row.micros.toFixed(0),
      ]),
    ),
    '',
    ...table(
      [
        ...['By label', 'Reviews', ...Object.values(LABEL_COLUMNS), 'Worst right first'],
        ...['Matched events', ...Object.values(CASE_COLUMNS)],
      ],
      rows
        .filter(({ method }) => method === 'product' || method === 'join')
        .map((row) => [
          row.method,
          budgetName(row.budget),
          ...Object.keys(LABEL_COLUMNS).map((key) => figure(row.mean[key])),
          figure(row.worst.right_first),
          String(row.pooled.cases.matched),
          ...Object.keys(CASE_COLUMNS).map((key) => figure(row.mean[key])),
        ]),
    ),
    '',
  ]);
}

/** One line for each goal and number of reviews: the worlds that miss it. */
function goalTable(goals) {
  const groups = new Map();
  for (const goal of goals) {
    const key = `${goal.title}\n${goal.reviews}`;
    groups.set(key, [...(groups.get(key) ?? []), goal]);
  }
  return table(
    ['Goal', 'Reviews', 'Limit', 'Met in', 'Missed in'],
    [...groups.values()].map((group) => {
      const missed = group.filter(({ met }) => !met);
      const { title, reviews, atLeast, limit } = group[0];
      const isCommon = group.every((goal) => goal.limit === limit);
      return [
        title,
        reviews,
        isCommon ? `${atLeast ? '≥' : '≤'} ${figure(limit)}` : 'for each world',
        `${group.length - missed.length} of ${group.length}`,
        missed.map(({ world, value }) => `${world} (${figure(value)})`).join(', ') || '–',
      ];
    }),
  );
}

export const signed = (value) => `${value > 0 ? '+' : ''}${figure(value)}`;

/** @param {number} value two or three significant digits; a dash where there is none */
export function figure(value) {
  if (value === undefined || !Number.isFinite(value)) return '–';
  return Math.abs(value) >= 1 ? value.toFixed(2) : Number(value.toFixed(3)).toString();
}

/**
 * @param {readonly string[]} head
 * @param {readonly string[][]} rows
 */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join(' | ')} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)];
}
