import { probabilitiesOf } from './choice-model.js';
import { valueUnder } from './event-kinds.js';
import {
  levelAfter,
  type ReviewedOfType,
  shiftAfter,
  type TypeLevel,
  type TypeTable,
} from './levels.js';
import { type BySharing, NO_SHIFT, ofSharing } from './mixture.js';
import { addLag, describeLags, type PairTable, pairOf } from './observed-counts.js';
import { type Prepared, reviewDecay, sharesIdentifier } from './reviewed-weights.js';
import type { AgentKnowledge, EventKnowledge, ReviewedChoice } from './snapshot.js';

/** A review counts as much as so many observations without a person. */
const REVIEW_COUNTS = 3;

interface AgentCounts {
  readonly agent_id: string;
  readonly action_type: string;
  readonly event_type: string;
  causes: number;
  expected: number;
}

export type AgentTable = Map<string, AgentCounts>;

interface Tables {
  readonly pairs: PairTable;
  readonly agents: AgentTable;
  readonly types: TypeTable;
}

/**
 * Adds what reviews say of actions and agents: how often each was the cause, against how often the model
 * without them expected it.
 * @param expectedWeights of the learned features, without actions and agents
 */
export function countReviews(
  prepared: readonly Prepared[],
  expectedWeights: readonly number[],
  today: number,
  { pairs, agents, types }: Tables,
): void {
  for (const { choice, set, hasNone } of prepared) {
    const certain =
      choice.none === 'cause' || choice.candidates.some(({ verdict }) => verdict === 'cause');
    if (!certain) continue;
    const { of } = probabilitiesOf(set, expectedWeights);
    const weight = reviewDecay(today - choice.day);
    if (hasNone) {
      const none = of.at(-1) ?? 0;
      const reviewed = types.get(choice.event_type) ?? [];
      reviewed.push({
        logOdds: Math.log((1 - none + LEAST_SHARE) / (none + LEAST_SHARE)),
        isShared: sharesIdentifier(choice),
        isCaused: choice.none !== 'cause',
        weight,
        kinds: choice.kinds ?? [],
      });
      types.set(choice.event_type, reviewed);
    }
    choice.candidates.forEach(({ action_type, agent_id, verdict }, at) => {
      const isCause = verdict === 'cause';
      const expected = weight * (of[at] ?? 0);
      const pair = pairOf(pairs, action_type, choice.event_type);
      pair.expected += REVIEW_COUNTS * expected;
      const agent = agentOf(agents, agent_id, action_type, choice.event_type);
      agent.expected += expected;
      if (!isCause) return;
      pair.causes += REVIEW_COUNTS * weight;
      agent.causes += weight;
    });
  }
}

/** Every cause that people named teaches its delay, also a link to a decision that was no candidate. */
export function countDelays(
  pairs: PairTable,
  choices: readonly ReviewedChoice[],
  today: number,
): void {
  for (const { candidates, event_type, day } of choices) {
    for (const { action_type, hours, verdict } of candidates) {
      if (verdict !== 'cause') continue;
      const pair = pairOf(pairs, action_type, event_type);
      addLag(pair, Math.log(hours), REVIEW_COUNTS * reviewDecay(today - day));
    }
  }
}

function agentOf(table: AgentTable, agent: string, action: string, event: string): AgentCounts {
  const name = JSON.stringify([agent, action, event]);
  let counts = table.get(name);
  if (counts === undefined) {
    const names = { agent_id: agent, action_type: action, event_type: event };
    counts = { ...names, causes: 0, expected: 0 };
    table.set(name, counts);
  }
  return counts;
}

const LEAST_SHARE = 1e-6;
const UNKNOWN: TypeLevel = { logOdds: NO_SHIFT, causeless: 0, other: 0, kind: null };

/**
 * Each event type against the average of all, so that only its own deviation remains.
 * @param unreviewed what the ledger says of each type without reviews
 */
export function describeTypes(
  pairs: PairTable,
  types: TypeTable,
  unreviewed: ReadonlyMap<string, TypeLevel>,
): EventKnowledge[] {
  const names = new Set([
    ...[...pairs.values()].map((pair) => pair.event_type),
    ...types.keys(),
    ...unreviewed.keys(),
  ]);
  const usual = usualLevel(types, unreviewed);
  return [...names].sort().map((event_type) => {
    const before = unreviewed.get(event_type) ?? UNKNOWN;
    const reviewed = (types.get(event_type) ?? []).map((one) => ({
      ...one,
      logOdds: one.logOdds + usual,
    }));
    const { logOdds, causeless } = levelAfter(before, reviewed);
    const own_pairs = [...pairs.values()].filter((pair) => pair.event_type === event_type);
    return {
      event_type,
      log_odds: bounded(logOdds.shared),
      log_odds_apart: bounded(logOdds.apart),
      causeless,
      kind: describeKind(before, logOdds, reviewed),
      lags: describeLags(own_pairs),
    };
  });
}

/** What the levels of all types together leave to the level of all. */
function usualLevel(types: TypeTable, unreviewed: ReadonlyMap<string, TypeLevel>): number {
  const all = [...types].flatMap(([name, reviewed]) => {
    const { logOdds: known } = unreviewed.get(name) ?? UNKNOWN;
    return reviewed.map((one) => ({
      ...one,
      logOdds: one.logOdds + ofSharing(known, one.isShared),
    }));
  });
  return all.length === 0 ? 0 : shiftAfter(0, all).shift;
}

/** Each kind of a type, against the level of the type. */
function describeKind(
  { kind }: TypeLevel,
  typeLogOdds: BySharing,
  reviewed: readonly ReviewedOfType[],
): EventKnowledge['kind'] {
  if (kind === null) return null;
  const { key } = kind;
  const seen = new Set([
    ...kind.values.keys(),
    ...reviewed.map(({ kinds }) => valueUnder(kinds, key)),
  ]);
  const values = [...seen]
    .sort((a, b) => a - b)
    .map((value) => {
      const own = kind.values.get(value);
      const before = { logOdds: own?.logOdds ?? typeLogOdds, causeless: own?.causeless ?? 0 };
      const said = reviewed.filter(({ kinds }) => valueUnder(kinds, key) === value);
      const { logOdds, causeless } = levelAfter(before, said);
      return {
        value,
        log_odds: bounded(logOdds.shared),
        log_odds_apart: bounded(logOdds.apart),
        causeless,
      };
    });
  return { key, values };
}

const MAX_TYPE = 5;
const bounded = (logOdds: number): number => Math.max(-MAX_TYPE, Math.min(MAX_TYPE, logOdds));

const AGENT_PRIOR = 5;
const MAX_AGENT = 1.5;

/** Each agent against the average of its action type, so that only its own deviation remains. */
export function describeAgents(table: AgentTable): AgentKnowledge[] {
  const types = new Map<string, { causes: number; expected: number }>();
  const typeOf = ({ action_type, event_type }: AgentCounts) =>
    JSON.stringify([action_type, event_type]);
  for (const counts of table.values()) {
    const type = types.get(typeOf(counts)) ?? { causes: 0, expected: 0 };
    type.causes += counts.causes;
    type.expected += counts.expected;
    types.set(typeOf(counts), type);
  }
  return [...table]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, counts]) => {
      const type = types.get(typeOf(counts)) ?? counts;
      const usual = (type.causes + AGENT_PRIOR) / (type.expected + AGENT_PRIOR);
      const own = (counts.causes + AGENT_PRIOR) / (counts.expected * usual + AGENT_PRIOR);
      const log_odds = Math.max(-MAX_AGENT, Math.min(MAX_AGENT, Math.log(own)));
      const { agent_id, action_type, event_type } = counts;
      return { agent_id, action_type, event_type, log_odds };
    });
}
