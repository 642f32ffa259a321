import { type Components, componentsOf, groupsOf } from './components.js';
import { areContrary, isTorn, saidBy } from './contradictions.js';
import { depositsOf } from './deposits.js';
import { withDisputeFees } from './disputes.js';
import { withPayments } from './inherited.js';
import { haveCommon, isBank } from './likeness.js';
import { netCouples } from './nets.js';
import { couplesOf, type Pair, type Possibility, possibilitiesOf } from './possibilities.js';
import { repeatsItself } from './repeats.js';
import type { Report } from './report.js';
import type { Doubtful, Pairing, Settled } from './settled.js';
import type { Doubt } from './tiers.js';
import { wholesOf, withoutPaidParts } from './wholes.js';
import { withSums } from './with-sums.js';

/** What people said of reports. */
export interface Said {
  /** That two are of the same money. */
  readonly same: readonly Pair[];
  /** That two are not. */
  readonly apart: readonly Pair[];
  /** Those whose links contradict each other: of different decisions, or of opposite directions. */
  readonly contradicted: readonly Pair[];
}

/**
 * The movements of reports. What a reference names is paired first. What else may be of the same money is paired where all
 * of it agrees: each may be of the same money as each other one, and as nothing else. Reports that add up to one transaction
 * of the books are compared together too, and then paired together.
 * What rules bring together must not hold two reports of one source, unless it repeats itself, two that a person parted,
 * links that contradict each other, or money between own accounts with what is not of it; else nothing of it is paired by
 * rule. What people say always holds.
 * @param reports live ones, with all that they may be paired with
 */
export function settle(all: readonly Report[], said: Said): Settled {
  const reports = withPayments(all);
  const wholes = wholesOf(reports);
  const deposits = depositsOf(reports);
  const single = withoutPaidParts(reports, wholes);
  const known = new Map([...single, ...wholes.keys()].map((report) => [report.id, report]));
  const same = said.same.filter((pair) => pair.every((id) => known.has(id)));
  const judged: Judged = {
    ...{ reports, known, byPeople: componentsOf(reports, same) },
    parts: new Map([
      ...[...wholes].map(([whole, members]) => [whole.id, members] as const),
      ...deposits.map(([, { id, parts }]) => [id, parts] as const),
    ]),
    ...{ isParted: isAmong(said.apart), isContradicted: isAmong(said.contradicted) },
  };
  const { isOpen, isHeld } = openness(judged);
  const couples = couplesOf([...known.values()], isOpen, isHeld);
  const possible = possibilitiesOf({
    ...{ ...couples, net: netCouples(all, couples.smaller) },
    disputed: withDisputeFees(reports, couples.larger),
    deposits: deposits.filter(([payout, deposit]) => isOpen(payout, deposit)),
  });
  const isStrong = (one: Possibility) => one.isStrong;
  const strong = joinInTurn(same, possible.filter(isStrong), judged);
  const named = [...same, ...strong.pairs.map((pair) => pair.reports)];
  const left = leftOf(possible, componentsOf(reports, named), judged);
  const weak = join(
    named,
    agreeing(left).filter(({ isEarly }) => !isEarly),
    judged,
  );
  const pairs = [...strong.pairs, ...weak.pairs];
  const final = componentsOf(reports, [...same, ...pairs.map((pair) => pair.reports)]);
  const open = [...possible.filter(isStrong), ...left.map(({ possibility }) => possibility)];
  const doubtful = open.flatMap((one) => {
    const faults = one.isStrong ? strong.faults : weak.faults;
    return pairsBetween(judged.parts, one.reports).flatMap((pair): Doubtful[] => {
      if (final.get(pair[0]) === final.get(pair[1])) return [];
      const doubt =
        one.doubt ??
        faults.get(pair[0]) ??
        (one.isEarly ? 'no_reference' : 'several_possibilities');
      return [{ reports: pair, rule: one.rule, doubt }];
    });
  });
  return withSums({ movements: groupsOf(final), pairs, doubtful }, final, judged);
}

interface Judged {
  readonly reports: readonly Report[];
  /** With the wholes of transactions. */
  readonly known: ReadonlyMap<string, Report>;
  /** The reports that add up to one, by its id. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  readonly byPeople: Components;
  readonly isParted: (pair: Pair) => boolean;
  readonly isContradicted: (pair: Pair) => boolean;
}

function isAmong(pairs: readonly Pair[]): (pair: Pair) => boolean {
  const names = new Set(pairs.flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]));
  return ([one, other]) => names.has(`${one} ${other}`);
}

/**
 * Whether nobody has said of what money two are, and whether people said it of others only: those with reports of one source are
 * of the same already, or never are, and what one source sent twice under one id is for people to say.
 */
function openness({ known, parts, byPeople, isParted }: Judged) {
  const sources = sourcesOf(groupsOf(byPeople), known);
  const isSaid = (pair: Pair) => isParted(pair) || byPeople.get(pair[0]) === byPeople.get(pair[1]);
  const isKept = ([one, other]: Pair) =>
    haveCommon(sources.get(one) ?? NONE, sources.get(other) ?? NONE);
  const between = (one: Report, other: Report) => pairsBetween(parts, [one.id, other.id]);
  return {
    isOpen: (one: Report, other: Report) =>
      !between(one, other).some((pair) => isSaid(pair) || isKept(pair)),
    isHeld: (one: Report, other: Report) => !between(one, other).some(isSaid),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** For each report, the sources of all of its group that do not repeat themselves. */
function sourcesOf(groups: readonly (readonly string[])[], known: ReadonlyMap<string, Report>) {
  return new Map(
    groups.flatMap((ids) => {
      const sources = new Set(ids.flatMap((id) => soleSourceOf(known.get(id)) ?? []));
      return ids.map((id) => [id, sources] as const);
    }),
  );
}

/** The source of a report, unless it repeats itself. */
const soleSourceOf = (report: Report | undefined): string | undefined =>
  report === undefined || repeatsItself(report) ? undefined : report.source;

/** The pairs of reports that two reports, or wholes of transactions, are of. */
function pairsBetween(parts: Judged['parts'], [one, other]: Pair): Pair[] {
  return partsOf(parts, one).flatMap((a) => partsOf(parts, other).map((b): Pair => [a, b]));
}

const partsOf = (parts: Judged['parts'], id: string): readonly string[] => parts.get(id) ?? [id];

/** The pairs that follow from possibilities, and what keeps reports apart that these would bring together. */
function join(base: readonly Pair[], chosen: readonly Possibility[], judged: Judged) {
  const all = chosen.flatMap((one) =>
    pairsBetween(judged.parts, one.reports).map(
      (reports): Pairing => ({ reports, rule: one.rule }),
    ),
  );
  const faults = new Map<string, Doubt>();
  const pairs = [...base, ...all.map(({ reports }) => reports)];
  const isMixed = mixtureIn(pairs, judged);
  for (const members of groupsOf(componentsOf(judged.reports, pairs))) {
    const doubt = doubtOf(members, judged, isMixed);
    if (doubt !== null) for (const id of members) faults.set(id, doubt);
  }
  return { pairs: all.filter(({ reports: [one] }) => !faults.has(one)), faults };
}

/** The same of what holds by rules of different strength: what a stronger one holds together, a weaker one does not part. */
function joinInTurn(base: readonly Pair[], possible: readonly Possibility[], judged: Judged) {
  const places = [...new Set(possible.map(({ place }) => place))].sort((a, b) => a - b);
  const pairs: Pairing[] = [];
  const faults = new Map<string, Doubt>();
  for (const place of places) {
    const before = [...base, ...pairs.map(({ reports }) => reports)];
    const made = join(
      before,
      possible.filter((one) => one.place === place),
      judged,
    );
    pairs.push(...made.pairs);
    for (const [id, doubt] of made.faults) faults.set(id, doubt);
  }
  return { pairs, faults };
}

/** What keeps reports apart that rules would bring together; null if nothing does. */
function doubtOf(
  members: readonly string[],
  { known, byPeople, parts, isParted, isContradicted }: Judged,
  isMixed: (pair: Pair) => boolean,
): Doubt | null {
  const brought = members.flatMap((one, at) =>
    members
      .slice(at + 1)
      .flatMap((other): Pair[] =>
        byPeople.get(one) === byPeople.get(other) ? [] : [[one, other]],
      ),
  );
  const isOne = (pair: Pair) =>
    [...parts.values()].some((ids) => pair.every((id) => ids.includes(id)));
  const isTwice = (pair: Pair) => {
    const [one, other] = pair.map((id) => soleSourceOf(known.get(id)));
    return one !== undefined && one === other && !isOne(pair);
  };
  if (brought.some(isTwice)) return 'one_source';
  if (brought.some(isParted)) return 'parted';
  if (brought.some(isMixed)) return 'other_kind';
  if (isTornApart(members, { known, byPeople })) return 'other_references';
  return brought.some(isContradicted) ? 'contradicting_links' : null;
}

function isTornApart(
  members: readonly string[],
  { known, byPeople }: Pick<Judged, 'known' | 'byPeople'>,
) {
  const reports = members.flatMap((id) => known.get(id) ?? []);
  return isTorn(reports, (one, other) => byPeople.get(one.id) === byPeople.get(other.id));
}

/**
 * Whether one of two is between own accounts, and the other one is not: neither by itself, nor as a line of the bank, nor
 * because it is paired with such a report directly.
 */
function mixtureIn(pairs: readonly Pair[], { known }: Judged): (pair: Pair) => boolean {
  const isOwnId = (id: string) => {
    const report = known.get(id);
    return report?.isOwn === true;
  };
  const beside = new Set(pairs.filter((pair) => pair.some(isOwnId)).flat());
  const isOuter = (id: string) => !beside.has(id) && !isBank(known.get(id)?.source ?? '');
  return (pair) => pair.some(isOwnId) && pair.some((id) => !isOwnId(id) && isOuter(id));
}

/** A possibility between two groups of reports that references have not brought together. */
interface Left {
  readonly possibility: Possibility;
  readonly groups: Pair;
}

/** The possibilities that are left once references have brought reports together: groups with one source are not the same. */
function leftOf(
  possible: readonly Possibility[],
  components: Components,
  { known, parts }: Judged,
): Left[] {
  const sources = sourcesOf(groupsOf(components), known);
  const groupOf = (id: string): string => {
    const names = new Set(partsOf(parts, id).map((part) => components.get(part) ?? part));
    const [name = id] = names;
    return names.size === 1 ? name : id;
  };
  const isOfOthers = othersIn(components, { known, parts });
  const own = new Set([...known.values()].flatMap(({ id, isOwn }) => (isOwn ? [groupOf(id)] : [])));
  const sourcesIn = (id: string) => sources.get(partsOf(parts, id)[0] ?? id) ?? NONE;
  return possible.flatMap((possibility): Left[] => {
    const [one, other] = possibility.reports;
    if (possibility.isStrong) return [];
    const isOneSource = haveCommon(sourcesIn(one), sourcesIn(other));
    if (isOneSource && possibility.doubt !== 'one_source') return [];
    const groups: Pair = [groupOf(one), groupOf(other)];
    const isSecond = possibility.doubt === 'one_source';
    if (groups[0] === groups[1] || (!isSecond && isOfOthers(one, other))) return [];
    // Both are between own accounts by now, and count nothing.
    if (possibility.doubt === 'other_kind' && groups.every((name) => own.has(name))) return [];
    return [{ possibility, groups }];
  });
}

/** Whether what is held together already, of one of two at least, is of another order or customer than the other one. */
function othersIn(components: Components, { known, parts }: Pick<Judged, 'known' | 'parts'>) {
  const members = new Map<string, Report[]>();
  for (const [id, name] of components) {
    members.set(name, [...(members.get(name) ?? []), ...[known.get(id) ?? []].flat()]);
  }
  const heldWith = (id: string) => {
    const names = new Set(partsOf(parts, id).map((part) => components.get(part) ?? part));
    return [...names].flatMap((name) => members.get(name) ?? []);
  };
  return (one: string, other: string) => {
    const [own, others] = [heldWith(one), heldWith(other)];
    const isAlone =
      own.length <= partsOf(parts, one).length && others.length <= partsOf(parts, other).length;
    return !isAlone && areContrary(saidBy(own), saidBy(others));
  };
}

/** The possibilities between groups each of which may be the same as each other one, and as no further one. */
function agreeing(left: readonly Left[]): Possibility[] {
  const certain = left.filter(({ possibility }) => possibility.doubt === undefined);
  const near = new Map<string, Set<string>>();
  const add = (one: string, other: string) =>
    near.set(one, (near.get(one) ?? new Set([one])).add(other));
  for (const {
    groups: [one, other],
  } of certain) {
    add(one, other);
    add(other, one);
  }
  const isAlike = (one: string, other: string) => {
    const [own, others] = [near.get(one) ?? NONE, near.get(other) ?? NONE];
    return own.size === others.size && [...own].every((group) => others.has(group));
  };
  const isClosed = (one: string) =>
    [...(near.get(one) ?? NONE)].every((group) => isAlike(one, group));
  return certain.flatMap(({ possibility, groups: [one] }) => (isClosed(one) ? [possibility] : []));
}
