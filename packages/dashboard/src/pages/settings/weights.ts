import type { AttributionSettings } from '@decision-ledger/client/api/settings-forms';
import { isDecimal, sumOf } from '../../format/decimal.ts';

export type WeightName = keyof AttributionSettings['weights'];

export const WEIGHTS = [
  { name: 'temporal', label: 'Timing', hint: 'How soon the event followed the decision' },
  { name: 'metadata', label: 'Metadata', hint: 'How much of their metadata agrees' },
  {
    ...{ name: 'agent_pattern', label: 'Agent' },
    hint: 'What reviews said of the same agent and action',
  },
  { name: 'amount', label: 'Amount', hint: 'How usual the amount is for the action type' },
] as const satisfies readonly { name: WeightName; label: string; hint: string }[];

/** As typed. */
export type WeightDraft = Readonly<Record<WeightName, string>>;

export function draftOf(weights: AttributionSettings['weights']): WeightDraft {
  return {
    temporal: String(weights.temporal),
    metadata: String(weights.metadata),
    agent_pattern: String(weights.agent_pattern),
    amount: String(weights.amount),
  };
}

/** What is wrong with the weights, in a sentence; null if they can be saved. */
export function problemOf(draft: WeightDraft): string | null {
  const wrong = WEIGHTS.find(({ name }) => !isShare(draft[name]));
  if (wrong !== undefined) return `${wrong.label} is a number from 0 to 1, such as 0.25.`;
  const sum = sumOf(WEIGHTS.map(({ name }) => draft[name]));
  return Number(sum) === 1 ? null : `The weights sum to ${sum}. They must sum to 1.`;
}

function isShare(text: string): boolean {
  return isDecimal(text) && Number(text) >= 0 && Number(text) <= 1;
}

export function weightsOf(draft: WeightDraft): AttributionSettings['weights'] {
  return {
    temporal: Number(draft.temporal),
    metadata: Number(draft.metadata),
    agent_pattern: Number(draft.agent_pattern),
    amount: Number(draft.amount),
  };
}
