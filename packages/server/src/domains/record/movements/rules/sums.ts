import { leadOf } from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import type { Components } from './components.js';
import {
  areOfOneOrder,
  isFeeOfOrder,
  isLine,
  isLineOf,
  isOfOrder,
  isWithinReference,
} from './likeness.js';
import type { Pair } from './possibilities.js';
import type { Report } from './report.js';
import type { Doubt } from './tiers.js';
import { sumOf } from './transaction.js';

/** Reports of one source that may be the money of one report of another source together. */
export interface Addition {
  /** The report, or the whole of a transaction, that may be all of it. */
  readonly whole: string;
  /** At least one, by time. */
  readonly parts: readonly string[];
  /**
   * What is to be paired if it is: the first with each other one. What is nearest the cash counts. If these are the parts,
   * the whole is the same money as the one of them that leads, and counts nothing.
   */
  readonly pair: readonly string[];
  /** Why no rule pairs them; null if it is certain. */
  readonly doubt: Doubt | null;
}

/** What other rules made of reports. */
export interface Found {
  /** Reports, and the wholes of transactions. */
  readonly known: ReadonlyMap<string, Report>;
  /** The reports of each whole, by its id. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly components: Components;
  /** Pairs that other rules speak for, and are not certain. */
  readonly doubtful: readonly Pair[];
  readonly isParted: (pair: Pair) => boolean;
  readonly isContradicted: (pair: Pair) => boolean;
}

/** Movements as far as they may be a part of others, or the sum of them: one, unless a transaction is in several. */
interface Group {
  readonly ids: readonly string[];
  /** The leads of its movements. */
  readonly leads: readonly Report[];
  readonly sources: ReadonlySet<string>;
}

/** A sale or refund, or the whole of a transaction, in its movement. */
interface Unit {
  readonly report: Report;
  readonly group: Group;
}

/**
 * Sales or refunds of one source that name the same order as one of another source, or one of several orders that it names.
 * They are certain if they add up to it, and each of them belongs to nothing else.
 */
export function additionsOf(found: Found): Addition[] {
  const units = unitsOf(found);
  const byName = new Map<string, Unit[]>();
  for (const unit of units) {
    for (const name of unit.report.names) byName.set(name, [...(byName.get(name) ?? []), unit]);
  }
  const ordered = ({ report }: Unit): Unit[] => {
    const named = [...report.names].flatMap((name) => byName.get(name) ?? []);
    return [...new Set(named)].filter((one) => areOfOneOrder(report, one.report));
  };
  const linesOf = (sales: readonly Unit[]): Unit[] => {
    const named = sales.flatMap(({ report }) => [...report.names]);
    const lines = named.flatMap((name) => byName.get(name) ?? []);
    return [...new Set(lines)].filter((line) =>
      sales.some(({ report }) => isLineOf(line.report, report)),
    );
  };
  const known = new Map<string, Candidate>();
  for (const unit of units) {
    for (const candidate of candidatesOf(unit, ordered, linesOf)) {
      const key = keyOf(candidate);
      if (candidate.isExact || !known.has(key)) known.set(key, candidate);
    }
  }
  const open = [...known.values()].filter((one) => !isSaid(one, found));
  const exact = open.filter(({ isExact }) => isExact).map((one) => new Set(groupsIn(one)));
  // What an exact sum explains is no question by itself.
  const candidates = open.filter(
    (one) =>
      one.isExact || !exact.some((groups) => groupsIn(one).every((group) => groups.has(group))),
  );
  const counts = new Map<string, number>();
  for (const id of candidates.flatMap(idsIn)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const isSole = (one: Candidate) => idsIn(one).every((id) => counts.get(id) === 1);
  return candidates.map((one) => additionOf(one, doubtOf(one, isSole(one), found)));
}

interface Candidate {
  readonly whole: Unit;
  readonly parts: readonly Unit[];
  /** Whether the parts add up to the whole. */
  readonly isExact: boolean;
}

const groupsIn = ({ whole, parts }: Candidate): Group[] =>
  [whole, ...parts].map(({ group }) => group);
const idsIn = (candidate: Candidate): string[] => groupsIn(candidate).flatMap(({ ids }) => ids);
const keyOf = (candidate: Candidate): string => idsIn(candidate).sort().join();

/** Sales and refunds by themselves or with reports of other sources, without those that are only a part of a transaction. */
function unitsOf({ known, parts, components }: Found): Unit[] {
  const movements = new Map<string, string[]>();
  for (const [id, name] of components) movements.set(name, [...(movements.get(name) ?? []), id]);
  const inWhole = new Set([...parts].flatMap(([id, ids]) => (known.has(id) ? ids : [])));
  const groups = new Map<string, Group>();
  const taken = new Set<string>();
  const all = [...known.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  return all.flatMap((report): Unit[] => {
    if (inWhole.has(report.id) || report.names.size === 0) return [];
    if (![isOfOrder, isFeeOfOrder, isLine].some((isOne) => isOne(report))) return [];
    const its = parts.get(report.id) ?? [report.id];
    const names = [...new Set(its.flatMap((id) => components.get(id) ?? []))].sort();
    const members = names.map((name) => reportsOf(movements.get(name) ?? [], known));
    // Of a source that repeats itself, one report stands for its movement.
    const place = `${names.join()} ${report.source}`;
    if (taken.has(place) || members.flat().some(({ isOwn }) => isOwn)) return [];
    taken.add(place);
    const group = groups.get(names.join()) ?? {
      ids: members.flat().map(({ id }) => id),
      leads: members.map((one) => leadOf(one)),
      sources: new Set(members.flat().map(({ source }) => source)),
    };
    groups.set(names.join(), group);
    return [{ report, group }];
  });
}

const reportsOf = (ids: readonly string[], known: Found['known']): Report[] =>
  ids.flatMap((id) => known.get(id) ?? []);

/**
 * The sums that a unit may be: of all other sources together if they are exactly that, else one of each other source.
 * @param ordered the sales of the orders of one
 * @param linesOf what its source states beside the sales of an order, such as a discount
 */
function candidatesOf(
  whole: Unit,
  ordered: (unit: Unit) => Unit[],
  linesOf: (sales: readonly Unit[]) => Unit[],
): Candidate[] {
  const others = ordered(whole).filter((one) => areApart(whole, one));
  const sources = new Set(others.map(({ report }) => report.source));
  const each = [...sources].map((source) => {
    const own = others.filter(({ report }) => report.source === source);
    const near = own.filter(({ report }) => isWithinReference(report, whole.report));
    const sales = own.filter(({ report }) =>
      near.some((one) => isWithinReference(one.report, report)),
    );
    if (!sales.every((part) => isOnly(whole, part, ordered(part)))) return [];
    return [...sales, ...linesOf(sales).filter((line) => areApart(whole, line))];
  });
  const alone = each.flatMap((parts) => candidateOf(whole, parts));
  const isAll = each.length > 1 && each.every((parts) => parts.length > 0);
  if (!isAll || alone.some(({ isExact }) => isExact)) return alone;
  // What two sources report of one movement is one part.
  const byGroup = new Map(each.flat().map((part) => [part.group, part]));
  const together = candidateOf(whole, [...byGroup.values()]).filter(({ isExact }) => isExact);
  return together.length > 0 ? together : alone;
}

function candidateOf(whole: Unit, parts: readonly Unit[]): Candidate[] {
  if (parts.length === 0) return [];
  const total = parts.reduce((sum, { report }) => sum.plus(report.amount), new Big(0));
  const isExact = whole.report.sums.has(sumOf(total.toFixed(), whole.report.currency));
  // Of two reports, the greater one is the whole; equal ones are compared by other rules.
  const isLess =
    !isExact && isOfOrder(whole.report) && total.abs().lt(new Big(whole.report.amount).abs());
  const isSome = parts.length > 1 && (isExact || isOfOrder(whole.report));
  return isSome || isLess ? [{ whole, parts, isExact }] : [];
}

const areApart = (one: Unit, other: Unit): boolean =>
  [...one.group.sources].every((source) => !other.group.sources.has(source));

/** Whether the whole is the only report of its source that has the order of a part, and none of the part's source with it. */
const isOnly = (whole: Unit, part: Unit, ordered: readonly Unit[]): boolean =>
  ordered.every(
    ({ report, group }) =>
      report.source !== whole.report.source ||
      group === whole.group ||
      group.sources.has(part.report.source),
  );

/** Whether people said that a part is not the money of the whole. */
const isSaid = ({ whole, parts }: Candidate, { isParted }: Found): boolean =>
  parts.some(({ group }) => pairsOf(whole.group, group).some(isParted));

const pairsOf = (one: Group, other: Group): Pair[] =>
  one.ids.flatMap((id) => other.ids.map((its): Pair => [id, its]));

function doubtOf(candidate: Candidate, isSole: boolean, found: Found): Doubt | null {
  if (!candidate.isExact) return 'other_amount';
  const ids = new Set(idsIn(candidate));
  const isDoubted = found.doubtful.some(([one, other]) => ids.has(one) !== ids.has(other));
  const inParts = new Set(candidate.parts.flatMap(({ group }) => group.ids));
  const isOneTwice = found.doubtful.some((pair) => pair.every((id) => inParts.has(id)));
  if (!isSole || isDoubted || isOneTwice) return 'several_possibilities';
  const groups = groupsIn(candidate);
  const isContrary = groups.some((one, at) =>
    groups.slice(at + 1).some((other) => pairsOf(one, other).some(found.isContradicted)),
  );
  return isContrary ? 'contradicting_links' : null;
}

function additionOf({ whole: { group }, parts }: Candidate, doubt: Doubt | null): Addition {
  const leads = parts.flatMap((part) => part.group.leads);
  const whole = leadOf(group.leads);
  // What takes a part off, such as a discount, is not what the whole repeats.
  const along = leads.filter(({ sign }) => sign === whole.sign);
  const first = leadOf(along.length === 0 ? leads : along);
  const ordered = [first, ...leads.filter((one) => one !== first)].map(({ id }) => id);
  const wholes = [whole, ...group.leads.filter((one) => one !== whole)].map(({ id }) => id);
  const isWhole = leadOf([whole, first]) === whole;
  // Their witnesses may be of one source, too: so they are named.
  const all = new Set([...ordered, ...parts.flatMap((part) => part.group.ids)]);
  return {
    ...{ whole: whole.id, parts: ordered, doubt },
    pair: isWhole ? [...wholes, ...all] : [...wholes, first.id],
  };
}
