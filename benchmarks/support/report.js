import { readFileSync, writeFileSync } from 'node:fs';
import { median } from './figures.js';

const BEGIN = '<!-- results -->';
const END = '<!-- /results -->';

/** @typedef {import('./figures.js').Figure} Figure */

/**
 * @typedef {object} Results
 * @property {ReturnType<typeof import('./machine.js').describeMachine>} machine
 * @property {{ seconds: number, rounds: number, settings: Record<string, string> }} method
 * @property {Figure[]} ratios
 * @property {Figure[]} details
 * @property {string[]} notes
 */

/** What the README shows of a run. @param {Results} results */
export function toSummary({ machine, method, ratios, notes }) {
  const { processor, cores, memory, system, node, postgres, load, date } = machine;
  const settings = Object.entries(method.settings).map(([name, value]) => `${name}=${value}`);
  return [
    `${date}, ${cores} cores (${processor}), ${memory}, ${system}, Node.js ${node}, ` +
      `PostgreSQL ${postgres} (${settings.join(', ')}), load before the run ${load}. ` +
      `${method.rounds} rounds of ${method.seconds} s.`,
    '',
    ...table(['Ratio', 'Min', 'Median', 'Max', 'Goal', 'Met'], ratios.map(ratioRow)),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${note}`)] : []),
  ].join('\n');
}

/** The figures behind the ratios. @param {Results} results */
export function toDetails({ details }) {
  return table(['Behind them', 'Min', 'Median', 'Max', 'Unit'], details.map(detailRow)).join('\n');
}

/** @param {Figure} figure */
function ratioRow({ title, values, goal, goalIs = 'least' }) {
  const reached =
    goal !== undefined && (goalIs === 'most' ? median(values) <= goal : median(values) >= goal);
  const wanted = goal === undefined ? '' : `${goalIs === 'most' ? '≤' : '≥'} ${show(goal)}`;
  return [title, ...span(values), wanted, goal === undefined ? '' : reached ? 'yes' : 'no'];
}

/** @param {Figure} figure */
function detailRow({ title, values, unit = '' }) {
  return [title, ...span(values), unit];
}

/** @param {readonly number[]} values */
function span(values) {
  return [Math.min(...values), median(values), Math.max(...values)].map(show);
}

/** @param {number} value rounded to three significant digits */
function show(value) {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return Number(value.toPrecision(3)).toString();
}

/**
 * @param {readonly string[]} head
 * @param {readonly string[][]} rows
 */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const line = (/** @type {readonly string[]} */ row) =>
    `| ${row.map((cell, column) => pad(cell, widths[column], column)).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)];
}

/**
 * @param {string} cell
 * @param {number} width
 * @param {number} column
 */
function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/**
 * Formats like the repository's formatter: short lists on one line.
 * @param {Results} results
 */
export function toJson(results) {
  const text = JSON.stringify(
    results,
    (_key, value) => (isFraction(value) ? round(value) : value),
    2,
  );
  const onOneLine = text.replace(
    /^( *".*": )\[\n([^[\]{}]*?)\n *\](,?)$/gm,
    (whole, name, items, comma) => {
      const line = `${name}[${items.trim().replace(/\n */g, ' ')}]${comma}`;
      return line.length <= 100 ? line : whole;
    },
  );
  return `${onOneLine}\n`;
}

/** @param {unknown} value */
const isFraction = (value) => typeof value === 'number' && !Number.isInteger(value);

/** @param {number} value */
const round = (value) => Number(value.toPrecision(6));

/**
 * Replaces the text between the two markers of a document.
 * @param {string | URL} path
 * @param {string} markdown
 */
export function writeBetweenMarkers(path, markdown) {
  const text = readFileSync(path, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${path} has no ${BEGIN} … ${END}`);
  writeFileSync(path, `${text.slice(0, begin + BEGIN.length)}\n${markdown}\n${text.slice(end)}`);
}
