import { probabilitiesOf } from './choice-model.js';
import { addLag, describeLags, type PairTable, pairOf } from './learn-counts.js';
import type { TypeLevel } from './learn-none.js';
import { fade, type Prepared } from './learn-reviews.js';
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

/** How often events of a type had a recorded cause, and how often the model expected one. */
export type TypeTable = Map<string, TypeCounts>;

interface TypeCounts {
  reviewed: number;
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
    const weight = fade(today - choice.day);
    if (hasNone) {
      const type = types.get(choice.event_type) ?? { reviewed: 0, causes: 0, expected: 0 };
      type.reviewed += weight;
      type.causes += choice.none === 'cause' ? 0 : weight;
      type.expected += weight * (1 - (of.at(-1) ?? 0));
      types.set(choice.event_type, type);
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
      addLag(pair, Math.log(hours), REVIEW_COUNTS * fade(today - day));
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

const TYPE_PRIOR = 1.5;
const MAX_TYPE = 3;
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
  const all = [...types.values()];
  const sum = (of: 'causes' | 'expected') => all.reduce((total, type) => total + type[of], 0);
  const usual = (sum('causes') + TYPE_PRIOR) / (sum('expected') + TYPE_PRIOR);
  return [...names].sort().map((event_type) => {
    const counts = types.get(event_type) ?? { reviewed: 0, causes: 0, expected: 0 };
    const { causes, expected } = counts;
    const own = (causes + TYPE_PRIOR) / (expected * usual + TYPE_PRIOR);
    const reviewed = expected / (expected + TYPE_PRIOR);
    const logOdds = Math.max(-MAX_TYPE, Math.min(MAX_TYPE, Math.log(own)));
    const own_pairs = [...pairs.values()].filter((pair) => pair.event_type === event_type);
    return {
      event_type,
      log_odds: logOdds + (1 - reviewed) * (unreviewed.get(event_type)?.logOdds ?? 0),
      causeless: causelessOf(unreviewed.get(event_type)?.causeless ?? 0, counts),
      lags: describeLags(own_pairs),
    };
  });
}

/** Part of the reviews that is expected to be wrong. */
const WRONG = 0.05;

/** A cause that reviews name refutes that the type has none, but for wrong reviews. */
function causelessOf(before: number, { reviewed, causes, expected }: TypeCounts): number {
  if (causes === 0) return before;
  const usual = Math.max(WRONG, Math.min(1 - WRONG, expected / reviewed));
  const odds = (before / (1 - before)) * (WRONG / usual) ** causes;
  return odds / (1 + odds);
}

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
