import { processorOf } from '@decision-ledger/proof/movement';
import type { Report } from './report.js';

/** What a report, or several of one money, say of whom and what it is for. */
export interface Said {
  readonly references: ReadonlySet<string>;
  readonly orders: ReadonlySet<string>;
  readonly customers: ReadonlySet<string>;
}

export const saidBy = (reports: readonly Report[]): Said => ({
  references: new Set(reports.flatMap(({ references }) => [...references])),
  orders: new Set(reports.flatMap(({ orders }) => [...orders])),
  customers: new Set(reports.flatMap(({ customer }) => customer ?? [])),
});

/**
 * Whether two name different customers, or different orders by numbers of any shape, or each has references of one shape, such
 * as a letter and six digits, and they have none of these in common: two orders.
 */
export const isContrary = (one: Report, other: Report): boolean =>
  areContrary(saidBy([one]), saidBy([other]));

/** The same of two moneys, each of which several reports are of: what one of them names, all of them do. */
export function areContrary(one: Said, other: Said): boolean {
  if (haveOthers(one.customers, other.customers)) return true;
  return areOtherOrders(one, other) || differInShape(one.references, other.references);
}

const haveOthers = (one: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
  [...one].some((each) => [...others].some((other) => other !== each));

/** Whether each has a number of an order, and the other one has it in no place. */
function areOtherOrders(one: Said, other: Said): boolean {
  if (one.orders.size === 0 || other.orders.size === 0) return false;
  return !isMentioned(one.orders, other) && !isMentioned(other.orders, one);
}

const isMentioned = (orders: ReadonlySet<string>, { orders: own, references }: Said): boolean =>
  [...orders].some((order) => own.has(order) || references.has(order));

type Shape = (text: string) => string;
const letterByLetter: Shape = (text) => text.replace(/[a-z]/g, 'a').replace(/[0-9]/g, '9');
/** Customers are counted from the first one on. */
const inOneWay: Shape = (text) => text.replace(/[0-9]+/g, '9');

/** Whether both have texts of one shape, and none of these in common. */
function differInShape(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  shapeOf = letterByLetter,
): boolean {
  const [own, others] = [byShape(one, shapeOf), byShape(other, shapeOf)];
  return [...own].some(([shape, texts]) => {
    const theirs = others.get(shape);
    return theirs !== undefined && !texts.some((text) => theirs.includes(text));
  });
}

function byShape(texts: ReadonlySet<string>, shapeOf: Shape): Map<string, string[]> {
  const shapes = new Map<string, string[]>();
  for (const text of texts) {
    const shape = shapeOf(text);
    const found = shapes.get(shape);
    if (found === undefined) shapes.set(shape, [text]);
    else found.push(text);
  }
  return shapes;
}

/** Whether each is the payment of a processor, and these are two: each has seen money of its own. */
export const areOfTwoProcessors = (one: Report, other: Report): boolean =>
  !areOfOneObject(one, other) && haveOthers(processorsOf([one]), processorsOf([other]));

const processorsOf = (reports: readonly Report[]): ReadonlySet<string> =>
  new Set(
    reports.flatMap(({ source, objects }) =>
      objects.size === 0 ? [] : [processorOf(source) ?? source],
    ),
  );

/**
 * Whether some reports that references hold together are of different money all the same: they name different customers, or
 * different orders by numbers of one shape, or are payments of two processors. A purchase order, or a campaign, may name
 * several orders. What has one id of a processor's payment is one, whatever its numbers.
 * @param together sets of reports that people hold together
 */
export function isTorn(
  reports: readonly Report[],
  together: (one: Report, other: Report) => boolean = () => false,
): boolean {
  const units = unitsOf(
    reports,
    (one, other) => areOfOneObject(one, other) || together(one, other),
  );
  const said = units.map((unit) => ({ ...saidBy(unit), processors: processorsOf(unit) }));
  return said.some((one, at) =>
    said
      .slice(at + 1)
      .some(
        (other) =>
          haveOthers(one.processors, other.processors) ||
          differInShape(one.orders, other.orders) ||
          differInShape(one.customers, other.customers, inOneWay),
      ),
  );
}

/** Whether one names the payment of the other by the id of its processor. */
const areOfOneObject = (one: Report, other: Report): boolean =>
  [...one.objects].some((id) => other.references.has(id)) ||
  [...other.objects].some((id) => one.references.has(id));

function unitsOf(reports: readonly Report[], isOne: (one: Report, other: Report) => boolean) {
  let units: Report[][] = [];
  for (const report of reports) {
    const mine = units.filter((unit) => unit.some((other) => isOne(report, other)));
    units = [...units.filter((unit) => !mine.includes(unit)), [report, ...mine.flat()]];
  }
  return units;
}
