import { groupOf, isAsked, isAskedAbout, isMade } from './asked.js';
import { digitsOf } from './currencies.js';
import { examinePayouts } from './payout-check.js';
import { isToldApart, joinsOf } from './truth.js';
import { failuresOf, goalsOf } from './verdict.js';

/** Categories in which the sources state different amounts of the same money. */
const UNEQUAL = /^(conversion|tax|refund with tax|net of|invoice|.* posted as )/;

/** Figures of a category; sums are minor units of the base currency at the rate of the day. */
export const nothing = () => ({
  ...{ movements: 0, reports: 0, absent: 0, twice: 0, fused: 0, coincidences: 0 },
  ...{ withReference: 0, missedWith: 0, without: 0, missedWithout: 0 },
  ...{ doubtful: 0, unasked: 0, offeredLater: 0, waiting: 0, difference: 0 },
});

/**
 * Compares what a service says with what happened.
 * @param {import('./business.js').Business} business
 * @param {import('./observe.js').Observed} observed
 */
export function examine(business, observed) {
  const categories = new Map();
  const examples = [];
  const of = (/** @type {string} */ name) => {
    if (!categories.has(name)) categories.set(name, nothing());
    return categories.get(name);
  };
  const joins = joinsOf(business.movements);
  const asked = new Set([...observed.queue].flatMap((pair) => pair.split(' + ')));
  const sources = new Map(
    business.movements.flatMap(({ reports }) => reports.map(({ key, source }) => [key, source])),
  );
  const coincident = new Set();
  const context = { business, observed, of, examples, joins, asked, sources, coincident };
  examineGroups(context);
  for (const movement of business.movements) examineMovement(context, movement);
  for (const unit of unitsOf(business.movements)) examineUnit(context, unit);
  const total = sumOf([...categories.values()]);
  const equal = sumOf(
    [...categories].filter(([name]) => !UNEQUAL.test(name)).map(([, one]) => one),
  );
  const unexpected = unexpectedMoney(business, observed);
  const found = {
    ...{ categories: Object.fromEntries([...categories].sort()), equal, total, unexpected },
    ...{ currencies: byCurrency(business, observed), needless: needlessQuestions(context) },
    payouts: examinePayouts(business, observed, examples),
  };
  const goals = goalsOf(found);
  return { ...found, goals, failures: failuresOf(goals), examples };
}

function examineMovement(context, movement) {
  const { observed, of, examples, joins } = context;
  const figures = of(movement.category);
  figures.movements += 1;
  figures.reports += movement.reports.length;
  const note = (what, about) => examples.push({ what, category: movement.category, ...about });
  for (const { key } of movement.reports) {
    if (observed.reports.has(key)) continue;
    figures.absent += 1;
    note('absent', { key });
  }
  for (const join of joins.get(movement.id) ?? []) {
    if (join.isDoubtful) {
      figures.doubtful += 1;
      if (isMade(observed, join) || isAsked(observed, join)) continue;
      if (isAskedAbout(context, join)) {
        figures.offeredLater += 1;
        continue;
      }
      figures.unasked += 1;
      note('not asked', { one: keysOf(join.one), other: keysOf(join.other) });
      continue;
    }
    const name = join.hasReference ? 'withReference' : 'without';
    figures[name] += 1;
    if (isMade(observed, join)) continue;
    figures[join.hasReference ? 'missedWith' : 'missedWithout'] += 1;
    const what = join.hasReference ? 'missed with a reference' : 'missed without a reference';
    note(what, {
      one: keysOf(join.one),
      other: keysOf(join.other),
      isAsked: isAsked(observed, join),
    });
  }
}

const keysOf = (reports) => reports.map(({ key }) => key);

/** Movements that count together: nearly always one. */
function unitsOf(movements) {
  const units = new Map();
  for (const movement of movements) {
    units.set(movement.unit, [...(units.get(movement.unit) ?? []), movement]);
  }
  return units.values();
}

function examineUnit({ business, observed, of, examples, joins, coincident, asked }, unit) {
  const [{ unit: name, category, currency, at }] = unit;
  const figures = of(category);
  const inBase = (minor, code = currency) => business.toBase(minor, code, at);
  const reports = unit.flatMap((movement) => movement.reports);
  const counts = new Map();
  for (const report of reports) {
    const seen = observed.reports.get(report.key);
    if (seen === undefined) continue;
    counts.set(seen.group, (counts.get(seen.group) ?? 0) + inBase(seen.counted, seen.currency));
  }
  const counted = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const isPlanned = reports.some((report) => report.isPlanned === true);
  const waitingJoins = isPlanned ? 0 : waitingOf(unit, { joins, observed, counts });
  const member = ({ expected, apart }) => (waitingJoins > 0 ? (apart ?? expected) : expected);
  const expected = inBase(unit.reduce((sum, movement) => sum + member(movement), 0));
  const difference = counted - expected;
  const all = isPlanned
    ? beyond(difference, reports)
    : beyondLargest([...counts.values()].map(Math.abs));
  const isAskedAbout = reports.some(({ key, isAskable }) => isAskable === true && asked.has(key));
  const waiting = isAskedAbout ? all : waitingJoins;
  const twice = all - waiting;
  figures.waiting += waiting;
  figures.twice += twice;
  const left = difference - Math.sign(difference) * waiting;
  if (left === 0) return;
  // What a coincidence took away is no other fault.
  if (coincident.has(name) && twice === 0) return;
  figures.difference += left;
  examples.push({
    ...{ what: twice === 0 ? 'another amount' : 'counted twice', category, counted, expected },
    ...{ waiting, reports: keysOf(reports) },
  });
}

/** What counts beside the truth, in the direction of what was reported. */
function beyond(difference, reports) {
  const sign = Math.sign(reports.reduce((sum, { amount }) => sum + amount, 0));
  return Math.max(0, sign * difference);
}

/** What counts apart only because somebody is asked about it. */
function waitingOf(unit, { joins, observed, counts }) {
  const all = unit.flatMap(({ id }) => joins.get(id) ?? []);
  const waits = (join) => join.isDoubtful || (isAsked(observed, join) && !isMade(observed, join));
  if (!all.some(waits)) return 0;
  // The other joins hold these reports together, whatever the service made of them.
  let parts = unit.flatMap(({ reports }) => reports.map((report) => [report]));
  for (const { one, other } of all.filter((join) => !waits(join))) {
    const touched = parts.filter((part) => [...one, ...other].some((each) => part.includes(each)));
    parts = [...parts.filter((part) => !touched.includes(part)), touched.flat()];
  }
  const taken = new Set();
  const largest = parts.map((part) => {
    const groups = [...new Set(part.map((report) => groupOf(observed, report)))];
    const sizes = groups
      .filter((group) => !taken.has(group))
      .map((group) => counts.get(group) ?? 0);
    for (const group of groups) taken.add(group);
    return Math.max(0, ...sizes.map(Math.abs));
  });
  return beyondLargest(largest);
}

/** What is counted beside the largest part, whatever its sign. */
function beyondLargest(sizes) {
  return sizes.reduce((sum, one) => sum + one, 0) - Math.max(0, ...sizes);
}

/** Movements of the service that hold reports of several true ones. */
function examineGroups({ business, observed, of, examples, coincident }) {
  const byId = new Map(business.movements.map((movement) => [movement.id, movement]));
  const groups = new Map();
  for (const movement of business.movements) {
    for (const report of movement.reports.filter(({ isPlanned }) => isPlanned !== true)) {
      const group = groupOf(observed, report);
      groups.set(group, [...(groups.get(group) ?? []), report]);
    }
  }
  for (const reports of groups.values()) {
    const movements = [...new Set(reports.map(({ movement }) => movement))].map((id) =>
      byId.get(id),
    );
    if (movements.length < 2) continue;
    const [{ category, at }] = movements;
    const size = Math.max(
      ...reports.map(({ amount, currency }) => Math.abs(business.toBase(amount, currency, at))),
    );
    const isFault = isToldApart(reports, movements);
    of(category)[isFault ? 'fused' : 'coincidences'] += size;
    for (const { unit } of isFault ? [] : movements) coincident.add(unit);
    const what = isFault ? 'fused' : 'fused, and nobody could tell';
    examples.push({ what, category, size, reports: keysOf(reports) });
  }
}

/** How many questions are about money that is certainly not the same, or is one movement already. */
function needlessQuestions({ business, observed, joins }) {
  const doubtful = new Set(
    [...joins.values()]
      .flat()
      .flatMap(({ isDoubtful, one, other }) =>
        isDoubtful ? [...one, ...other].map(({ key }) => key) : [],
      ),
  );
  const planned = business.movements.flatMap(({ reports }) =>
    reports.filter(({ isPlanned }) => isPlanned === true).map(({ key }) => key),
  );
  const asked = [...observed.queue].map((pair) => pair.split(' + '));
  const isExpected = (key) => doubtful.has(key) || planned.includes(key);
  return {
    questions: asked.length,
    needless: asked.filter((pair) => !pair.some(isExpected)).length,
  };
}

/** Money of events that no report explains. */
function unexpectedMoney({ movements }, { reports }) {
  const known = new Set(movements.flatMap((movement) => keysOf(movement.reports)));
  return [...reports]
    .filter(([key, { counted }]) => !known.has(key) && counted !== 0)
    .map(([key, { counted, currency }]) => ({ key, counted, currency }));
}

/** What counts and what should, in minor units: incoming and outgoing. */
function byCurrency({ movements }, { reports, totals, reported }) {
  const sums = new Map();
  const add = (currency, name, minor) => {
    const zero = { currency, revenue: 0, costs: 0, trueRevenue: 0, trueCosts: 0 };
    const sum = sums.get(currency) ?? zero;
    sum[name] += minor;
    sums.set(currency, sum);
  };
  for (const { currency, expected } of movements) {
    add(currency, expected < 0 ? 'trueCosts' : 'trueRevenue', expected);
  }
  for (const { currency, counted } of reports.values()) {
    add(currency, counted < 0 ? 'costs' : 'revenue', counted);
  }
  return [...sums.values()].map((sum) => {
    const total = totals.find(({ currency }) => currency === sum.currency)?.total ?? null;
    const lines = reported.find(({ currency }) => currency === sum.currency);
    return { ...sum, total, isSummed: isSummed(sum, total, lines) };
  });
}

/** The rows are the total, and the lines of all that was reported add up. */
function isSummed({ currency, revenue, costs }, total, all) {
  // Of the line of what counts, one says how much of it may include tax.
  const { currency: _, reported, may_include_tax: __, ...lines } = all;
  const minor = (text) => Math.round(Number(text) * 10 ** digitsOf(currency));
  const sum = Object.values(lines).reduce((some, text) => some + minor(text), 0);
  const counted = total === null ? 0 : minor(total);
  return counted === revenue + costs && counted === minor(lines.counted) && sum === minor(reported);
}

/**
 * Reports that stand beside others after one order than after another: what is paired follows from the reports alone.
 * @param {import('./observe.js').Observed} one
 * @param {import('./observe.js').Observed} other
 */
export function differences(one, other) {
  const [first, second] = [matesOf(one), matesOf(other)];
  return [...first.keys()].filter((key) => first.get(key) !== second.get(key));
}

function matesOf({ reports }) {
  const groups = new Map();
  for (const [key, { group }] of reports) groups.set(group, [...(groups.get(group) ?? []), key]);
  const names = new Map([...groups].map(([group, keys]) => [group, keys.sort().join(' + ')]));
  return new Map([...reports].map(([key, { group }]) => [key, names.get(group)]));
}

function sumOf(all) {
  const total = nothing();
  for (const figures of all) for (const name of Object.keys(total)) total[name] += figures[name];
  return total;
}
