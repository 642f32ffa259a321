import { table } from '../report.js';
import { decimal } from './currencies.js';

const money = (/** @type {number} */ minor) => (minor / 100).toFixed(2);
const part = (some, all) => (all === 0 ? '–' : `${some} of ${all}`);

/**
 * The results as tables for a terminal. Sums are in the base currency.
 * @param {object[]} results
 * @param {{ examples: number }} options how many cases of each fault are printed
 */
export function toTables(results, { examples }) {
  return results
    .flatMap((result) => [
      `\n**${result.order}**: ${result.total.movements} movements, ${result.total.reports} reports, ` +
        `${result.events} events, fed in ${result.seconds.toFixed(0)} s, ${result.releases} releases.\n`,
      ...categoryTable(result),
      '',
      ...currencyTable(result),
      '',
      ...goalTable(result),
      '',
      ...result.unexpected.slice(0, 10).map((one) => JSON.stringify(one)),
      ...exampleLines(result, examples),
      '',
    ])
    .join('\n');
}

function categoryTable({ categories, equal, total }) {
  const line = (name, figures) => [
    ...[name, String(figures.movements), money(figures.twice), money(figures.fused)],
    part(figures.missedWith, figures.withReference),
    part(figures.missedWithout, figures.without),
    part(figures.unasked, figures.doubtful),
    ...[money(figures.waiting), money(figures.coincidences), money(figures.difference)],
  ];
  return table(
    [
      ...['Category', 'Movements', 'Counted twice', 'Fused', 'Missed, reference'],
      ...['Missed, none', 'Doubtful, not asked', 'Waits', 'Coincidence', 'Counted − true'],
    ],
    [
      ...Object.entries(categories).map(([name, one]) => line(name, one)),
      line('all of equal amounts', equal),
      line('all', total),
    ],
  );
}

function goalTable({ goals, total, needless: { questions, needless } }) {
  return [
    ...table(
      ['Goal', 'Is', 'Limit', 'Met', 'Of'],
      goals.map(({ title, value, limit, isMet, basis }) => [
        ...[title, value, limit, isMet ? 'yes' : 'NO', basis],
      ]),
    ),
    '',
    `Without a goal: ${money(total.waiting)} counts twice until ${questions} questions are answered, of which ` +
      `${needless} are needless; ${money(total.coincidences)} is fused where nobody could tell from the reports. Of ` +
      `${total.offeredLater} ambiguous ones the true possibility is not among the first that are offered.`,
  ];
}

function currencyTable({ currencies }) {
  return table(
    ['Currency', 'Incoming', 'True', 'Outgoing', 'True', 'Total of the service'],
    currencies.map(({ currency, revenue, trueRevenue, costs, trueCosts, total }) => [
      currency,
      ...[revenue, trueRevenue, costs, trueCosts].map((minor) => decimal(minor, currency)),
      String(total),
    ]),
  );
}

function exampleLines({ examples }, most) {
  const seen = new Map();
  return examples
    .filter(({ what, category }) => {
      const name = `${what} ${category}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return seen.get(name) <= most;
    })
    .map((one) => JSON.stringify(one));
}
