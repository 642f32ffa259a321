/** Evidence that the attribution model adds up in log-odds. */
interface Signal {
  readonly name: string;
  /** Whether it follows from one candidate, or from all candidates of an event. */
  readonly of: 'candidate' | 'event';
  /** The setting of its weight; null if the model fixes its strength. */
  readonly weight: { readonly default: number; readonly description: string } | null;
}

/** Every signal, in the order in which an explanation shows them. */
export const SIGNALS = [
  { name: 'base', of: 'candidate', weight: null },
  {
    name: 'temporal',
    of: 'candidate',
    weight: { default: 0.35, description: 'How soon the event followed the decision.' },
  },
  { name: 'crowd', of: 'event', weight: null },
  {
    name: 'metadata',
    of: 'candidate',
    weight: { default: 0.3, description: 'How much of their metadata agrees.' },
  },
  {
    name: 'agent_pattern',
    of: 'candidate',
    weight: { default: 0.2, description: 'What reviews said of the same agent and action.' },
  },
  {
    name: 'amount',
    of: 'candidate',
    weight: { default: 0.15, description: 'How usual the amount is for the action type.' },
  },
  { name: 'identifiers', of: 'candidate', weight: null },
  { name: 'stated_amount', of: 'candidate', weight: null },
  { name: 'contradiction', of: 'candidate', weight: null },
  { name: 'failure', of: 'candidate', weight: null },
] as const satisfies readonly Signal[];

type Listed = (typeof SIGNALS)[number];

export type SignalName = Listed['name'];

export const CANDIDATE_SIGNALS = SIGNALS.filter((signal) => signal.of === 'candidate');
export type CandidateSignal = (typeof CANDIDATE_SIGNALS)[number]['name'];

export const EVENT_SIGNALS = SIGNALS.filter((signal) => signal.of === 'event');
export type EventSignal = (typeof EVENT_SIGNALS)[number]['name'];

/** The signals whose weights are settings. */
export const WEIGHTED_SIGNALS = SIGNALS.filter((signal) => signal.weight !== null);
export type WeightedSignal = (typeof WEIGHTED_SIGNALS)[number]['name'];
