import { probabilitiesOf } from './choice-model.js';
import { addLag, describeLags, type PairTable, pairOf } from './learn-counts.js';
import { fade, type Prepared } from './learn-reviews.js';
import type { Observation } from './observation.js';
import type { AgentKnowledge, EventKnowledge } from './snapshot.js';

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
export type TypeTable = Map<string, { causes: number; expected: number }>;

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
      const type = types.get(choice.event_type) ?? { causes: 0, expected: 0 };
      type.causes += choice.none === 'cause' ? 0 : weight;
      type.expected += weight * (1 - (of.at(-1) ?? 0));
      types.set(choice.event_type, type);
    }
    choice.candidates.forEach(({ action_type, agent_id, hours, verdict }, at) => {
      const isCause = verdict === 'cause';
      const expected = weight * (of[at] ?? 0);
      const pair = pairOf(pairs, action_type, choice.event_type);
      pair.expected += REVIEW_COUNTS * expected;
      const agent = agentOf(agents, agent_id, action_type, choice.event_type);
      agent.expected += expected;
      if (!isCause) return;
      pair.causes += REVIEW_COUNTS * weight;
      agent.causes += weight;
      addLag(pair, Math.log(hours), REVIEW_COUNTS * weight);
    });
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
/** One event type in five comes without recorded causes, whatever its customers have to do with agents. */
const CAUSELESS_TYPE = 0.2;
/** Counts before the first event: most causes that state money state that of the event. */
const STATED = { equal: 2, other: 1 };
/** Amounts of events about the same thing depend on each other. */
const INDEPENDENT = 0.5;

/**
 * The log of how much less likely a cause is for a type whose amounts no related decision ever states: a
 * mixture of types with causes, whose share of equal amounts has a beta prior, and of types without.
 * @returns at most 0
 */
function neverStated({ equal, other }: { readonly equal: number; readonly other: number }): number {
  if (equal > CHANCE_EQUAL * other) return 0;
  let caused = 1 - CAUSELESS_TYPE;
  for (let count = 0; count < Math.min(MAX_OTHERS, INDEPENDENT * other); count++) {
    caused *= (STATED.other + count) / (STATED.equal + STATED.other + count);
  }
  return Math.log(caused / (caused + CAUSELESS_TYPE) / (1 - CAUSELESS_TYPE));
}

/** So few amounts are equal by chance. */
const CHANCE_EQUAL = 0.1;
const MAX_OTHERS = 100;

/** Each event type against the average of all, so that only its own deviation remains. */
export function describeTypes(
  pairs: PairTable,
  types: TypeTable,
  observations: readonly Observation[],
): EventKnowledge[] {
  const stated = countStated(observations);
  const names = new Set([
    ...[...pairs.values()].map((pair) => pair.event_type),
    ...types.keys(),
    ...stated.keys(),
  ]);
  const all = [...types.values()];
  const sum = (of: 'causes' | 'expected') => all.reduce((total, type) => total + type[of], 0);
  const usual = (sum('causes') + TYPE_PRIOR) / (sum('expected') + TYPE_PRIOR);
  return [...names].sort().map((event_type) => {
    const { causes, expected } = types.get(event_type) ?? { causes: 0, expected: 0 };
    const own = (causes + TYPE_PRIOR) / (expected * usual + TYPE_PRIOR);
    const reviewed = expected / (expected + TYPE_PRIOR);
    const unstated = neverStated(stated.get(event_type) ?? { equal: 0, other: 0 });
    const logOdds = Math.log(own) + (1 - reviewed) * unstated;
    const own_pairs = [...pairs.values()].filter((pair) => pair.event_type === event_type);
    return {
      event_type,
      log_odds: Math.max(-MAX_TYPE, Math.min(MAX_TYPE, logOdds)),
      lags: describeLags(own_pairs),
    };
  });
}

function countStated(observations: readonly Observation[]) {
  const types = new Map<string, { equal: number; other: number }>();
  for (const { event_type, amount } of observations) {
    if (amount === undefined) continue;
    const counts = types.get(event_type) ?? { equal: 0, other: 0 };
    counts[amount] += 1;
    types.set(event_type, counts);
  }
  return types;
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
