import { DAY } from './calendar.js';
import { isContradicted, isShared } from './references.js';

/**
 * What somebody careful can tell from the reports, decided from them alone and before any service has seen them.
 *
 * Reports that share a reference are of the same money. Without one, a report is of the money of another if that is
 * the only possibility: the same amount and currency in another source within a week, or within the true distance if
 * that is longer. A report is no possibility if it shares a reference with a report of that source itself, or names
 * another order. With a second possibility nobody can tell, and somebody must be asked.
 *
 * @typedef {{ one: readonly Report[], other: readonly Report[], hasReference: boolean, isDoubtful: boolean }} Join
 *   two parts of the reports of a movement that belong together
 * @typedef {import('./company.js').Report} Report
 * @typedef {import('./company.js').Movement} Movement
 */

const WEEK = 7 * DAY;

/**
 * @param {readonly Movement[]} movements
 * @returns {Map<string, Join[]>} by movement
 */
export function joinsOf(movements) {
  const index = indexReports(movements);
  return new Map(movements.map((movement) => [movement.id, joins(movement, index)]));
}

function indexReports(movements) {
  const byAmount = new Map();
  const ofMovement = new Map();
  for (const { id, reports } of movements) {
    ofMovement.set(id, reports);
    for (const report of reports) {
      const key = amountKey(report);
      byAmount.set(key, [...(byAmount.get(key) ?? []), report]);
    }
  }
  return { byAmount, ofMovement };
}

const amountKey = ({ amount, currency }) => `${amount} ${currency}`;

function joins(movement, index) {
  const reports = movement.reports.filter(({ isPlanned }) => isPlanned !== true);
  const parts = partsOf(reports);
  const within = parts.flatMap((part) =>
    part.slice(1).map((report, at) => ({
      ...{ one: part.slice(0, at + 1), other: [report], hasReference: true },
      isDoubtful: movement.isDoubtful,
    })),
  );
  const between = parts.slice(1).map((part, at) => {
    const one = parts.slice(0, at + 1).flat();
    const isDoubtful = movement.isDoubtful || hasOther(one, part, movement.id, index);
    return { one, other: part, hasReference: false, isDoubtful };
  });
  return [...within, ...between];
}

/** Reports that references hold together, also over a third one. */
function partsOf(reports) {
  let parts = [];
  for (const report of reports) {
    const touches = (part) => part.some((one) => isShared(one.references, report.references));
    const joined = parts.filter(touches).flat();
    parts = [...parts.filter((part) => !touches(part)), [...joined, report]];
  }
  return parts;
}

/** Whether a report of another movement may be what one of the parts lacks. */
function hasOther(one, other, movement, index) {
  const distance = Math.min(
    ...one.flatMap((report) => other.map(({ at }) => Math.abs(report.at - at))),
  );
  const window = Math.max(WEEK, distance + DAY);
  return [...one, ...other].some((report) => {
    const sources = (one.includes(report) ? other : one).map(({ source }) => source);
    return (index.byAmount.get(amountKey(report)) ?? []).some(
      (candidate) =>
        candidate.movement !== movement &&
        sources.includes(candidate.source) &&
        Math.abs(candidate.at - report.at) <= window &&
        isOpen(candidate, report, index),
    );
  });
}

/** Whether nothing says that the candidate is of other money than the report. */
function isOpen(candidate, report, { ofMovement }) {
  if (isContradicted(candidate.references, report.references)) return false;
  const own = ofMovement.get(candidate.movement) ?? [];
  return !own.some(
    (one) => one.source === report.source && isShared(one.references, candidate.references),
  );
}

/**
 * Whether the reports themselves say that they are of different money.
 * @param {readonly Report[]} reports of several movements that a service took for one
 * @param {readonly Movement[]} movements of those
 */
export function isToldApart(reports, movements) {
  return reports.some((one) =>
    reports.some((other) => one.movement !== other.movement && areApart(one, other, movements)),
  );
}

/** What only words tell, such as that a sale was paid in cash, tells nothing here. */
function areApart(one, other, movements) {
  if (one.source === other.source || amountKey(one) !== amountKey(other)) return true;
  if (Math.abs(one.at - other.at) > WEEK) return true;
  const customers = new Set([one.customer, other.customer].filter((name) => name !== undefined));
  if (customers.size === 2 || isContradicted(one.references, other.references)) return true;
  // One of them has its own report in the source of the other.
  const has = (report, source) =>
    movements
      .find(({ id }) => id === report.movement)
      ?.reports.some((each) => each.source === source) === true;
  return has(one, other.source) || has(other, one.source);
}
