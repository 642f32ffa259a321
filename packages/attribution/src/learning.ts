import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import { finish, type Steps } from '@decision-ledger/contract/steps';
import { STEP_CHOICES } from './choice-model.js';
import { learnClocks } from './clocks.js';
import { timeEvidence, timeOffset } from './delays.js';
import { type Knowledge, knowledgeOf } from './knowledge.js';
import { levelsOf, type TypeTable } from './levels.js';
import {
  countObservations,
  describeAmounts,
  describeLags,
  describePairs,
  keyKnowledge,
  type PairTable,
} from './observed-counts.js';
import {
  type AgentTable,
  countDelays,
  countReviews,
  describeAgents,
  describeTypes,
} from './reviewed-counts.js';
import { learnWeights, prepareChoices, sharesIdentifier } from './reviewed-weights.js';
import {
  ATTRIBUTION_VERSION,
  type LearningInput,
  type ModelSnapshot,
  type ReviewedChoice,
} from './snapshot.js';
import { PRIORS, priorWeights } from './weights.js';

/** The cause of three in a hundred events is unrecorded although a related decision is recorded. */
const UNRECORDED = { mean: 0.03, weight: 40 };

/**
 * Learns a model. Deterministic: equal input gives an equal snapshot. Without reviews, the weights are
 * their priors, and actions, delays and keys are learned from events whose cause is plain.
 */
export function* learnModel({
  settings,
  choices,
  observations,
  today,
}: LearningInput): Steps<ModelSnapshot> {
  const start = priorWeights(settings);
  const pairs: PairTable = new Map();
  const agents: AgentTable = new Map();
  const types: TypeTable = new Map();
  countObservations(pairs, observations);
  const without = { ...start, compatibility: 0, agent: 0, event_type: 0 };
  const expected = FEATURES.filter(({ name }) => PRIORS[name].sd > 0).map(
    ({ name }) => without[name],
  );
  const reviewed = yield* prepareChoices(choices, start, today);
  countReviews(reviewed, expected, today, { pairs, agents, types });
  yield;
  countDelays(pairs, choices, today);
  const counted: ModelSnapshot = {
    version: ATTRIBUTION_VERSION,
    as_of_day: today,
    weights: start,
    unrecorded: UNRECORDED.mean,
    pairs: describePairs(pairs),
    events: describeTypes(pairs, types, new Map()),
    lags: describeLags([...pairs.values()]),
    agents: describeAgents(agents),
    clocks: learnClocks(observations),
    keys: keyKnowledge(observations),
    amounts: [],
    settings,
    learned_from: {
      reviews: count(choices, 'review'),
      manual: count(choices, 'manual'),
      audits: count(choices, 'audit'),
      identified: observations.filter(({ identified }) => identified !== null).length,
    },
  };
  const levels = yield* levelsOf(observations, knowledgeOf(counted), start, types);
  const known = {
    ...counted,
    events: describeTypes(pairs, types, levels),
    amounts: describeAmounts(observations, levels),
  };
  if (choices.length === 0) return known;
  const knowledge = knowledgeOf(known);
  const renewed: ReviewedChoice[] = [];
  for (const [at, choice] of choices.entries()) {
    renewed.push(renew(choice, knowledge));
    if (at % STEP_CHOICES === 0) yield;
  }
  const prepared = yield* prepareChoices(renewed, start, today, knowledge.causeless);
  return { ...known, ...(yield* learnWeights(prepared, start, UNRECORDED)) };
}

/** The same without a pause, for little input. */
export const learnSnapshot = (input: LearningInput): ModelSnapshot => finish(learnModel(input));

/** With what is known now of delays, actions and agents in place of what was known at the review. */
function renew(choice: ReviewedChoice, knowledge: Knowledge): ReviewedChoice {
  const { event_type, kinds = [] } = choice;
  const timed = choice.candidates.map((candidate) => {
    const { action_type, hours, features } = candidate;
    const lags = knowledge.lags(action_type, event_type);
    const time = timeEvidence(hours, knowledge.halfLife(action_type), lags);
    return { candidate, time, isHolder: features.ledger !== undefined };
  });
  const offsetOf = (wanted: boolean) =>
    timeOffset(timed.filter(({ isHolder }) => isHolder === wanted).map(({ time }) => time));
  const offsets = { holders: offsetOf(true), others: offsetOf(false) };
  const isShared = sharesIdentifier(choice);
  const candidates = timed.map(({ candidate, time, isHolder }) => {
    const { action_type, agent_id } = candidate;
    const features = {
      ...candidate.features,
      time: time + (isHolder ? offsets.holders : offsets.others),
      compatibility: knowledge.compatibility(action_type, event_type),
      event_type: knowledge.eventType(event_type, kinds, isShared),
      agent: knowledge.agent(agent_id, action_type, event_type),
    };
    return { ...candidate, features };
  });
  return { ...choice, candidates };
}

const count = (choices: readonly ReviewedChoice[], wanted: ReviewedChoice['kind']): number =>
  choices.filter(({ kind }) => kind === wanted).length;
