import type { Scored } from '@decision-ledger/attribution/score';
import type { EventObservation, FeatureValues } from '@decision-ledger/attribution/snapshot';
import { FEATURES, type FeatureName } from '@decision-ledger/contract/attribution-signals';
import { checker } from '@decision-ledger/contract/validation';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';

/** How many candidates of an event are stored. */
export const MAX_STORED = 10;

const StoredCandidate = Type.Object({
  /** UUID. */
  decision_id: Type.String(),
  agent_id: Type.String(),
  action_type: Type.String(),
  hours: Type.Number(),
  /** ms, of the decision. */
  timestamp: Type.Optional(Type.Integer()),
  /** Null for a decision whose features were not extracted yet. */
  features: Type.Union([
    Type.Record(Type.String({ pattern: '^[a-z_]+$' }), Type.Number()),
    Type.Null(),
  ]),
  share: Type.Optional(Type.Number()),
  probability: Type.Optional(Type.Number()),
  label: Type.Optional(Type.Enum(['matched', 'guessed'])),
  is_suggested: Type.Optional(Type.Boolean()),
});
export type StoredCandidate = Static<typeof StoredCandidate>;

const Candidates = Type.Array(StoredCandidate);
const Kinds = Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]));
const StoredChoice = Type.Object({
  candidates: Candidates,
  none_share: Type.Optional(Type.Number()),
  /** What may say of which kind the event is. */
  kinds: Type.Optional(Kinds),
  /** With which the event was drawn for an audit. */
  audit_probability: Type.Optional(Type.Number()),
});
/** The candidates of an event when a person judged it. */
export type StoredChoice = Static<typeof StoredChoice>;

const checkCandidates = checker(Candidates, 'candidates');
const checkChoice = checker(StoredChoice, 'choice');

export function openCandidates(text: string): StoredCandidate[] {
  return checkCandidates(parseJson(text));
}

export function openChoice(text: string): StoredChoice {
  return checkChoice(parseJson(text));
}

export function choiceText(choice: StoredChoice): string {
  return canonicalJson(parseJson(JSON.stringify(choice)));
}

/** @param times of the decisions, in ms */
export function candidatesText(
  candidates: readonly Scored[],
  times: ReadonlyMap<string, number>,
): string {
  const stored = candidates.map((candidate) => toStored(candidate, times));
  return canonicalJson(parseJson(JSON.stringify(stored)));
}

export function toStored(scored: Scored, times: ReadonlyMap<string, number>): StoredCandidate {
  const timestamp = times.get(scored.decisionId);
  return {
    ...(timestamp !== undefined && { timestamp }),
    decision_id: scored.decisionId,
    agent_id: scored.agentId,
    action_type: scored.actionType,
    hours: scored.hours,
    features: { ...scored.features },
    share: scored.share,
    probability: scored.probability,
    label: scored.label,
    is_suggested: scored.isSuggested,
  };
}

const NAMES: ReadonlySet<string> = new Set(FEATURES.map(({ name }) => name));

function isFeature(name: string): name is FeatureName {
  return NAMES.has(name);
}

/** The values of the features that this release knows. */
export function knownFeatures({ features }: StoredCandidate): FeatureValues {
  const values: { [Name in FeatureName]?: number } = {};
  for (const [name, value] of Object.entries(features ?? {})) {
    if (isFeature(name)) values[name] = value;
  }
  return values;
}

const Amount = Type.Enum(['equal', 'other', 'none']);
const Option = Type.Tuple([Type.String(), Type.Number(), Type.Number(), Amount, Type.Number()]);

const checkObservation = checker(
  Type.Object({
    event_type: Type.String(),
    keys: Type.Array(Type.Tuple([Type.Number(), Type.Number(), Type.Number()])),
    identified: Type.Union([
      Type.Object({
        decision_id: Type.String(),
        action_type: Type.String(),
        log_hours: Type.Number(),
        amount: Type.Enum(['equal', 'other', 'none', 'chosen']),
        contrast: Type.Enum(['holders', 'nearby']),
        among: Type.Array(Type.Tuple([Type.String(), Type.Number()])),
      }),
      Type.Null(),
    ]),
    amount: Type.Optional(Type.Enum(['equal', 'other'])),
    sharing: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    transaction: Type.Optional(Type.Number()),
    kinds: Type.Optional(Kinds),
    clock: Type.Optional(Type.Tuple([Type.String(), Type.Integer()])),
    options: Type.Optional(Type.Array(Option)),
  }),
  'observation',
);

export function openObservation(text: string): EventObservation {
  return checkObservation(parseJson(text));
}

export function observationText(observation: EventObservation): string {
  return canonicalJson(parseJson(JSON.stringify(observation)));
}
