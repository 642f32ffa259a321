/** The groups of evidence whose weights are settings. */
export const WEIGHTED_GROUPS = [
  {
    name: 'temporal',
    weight: { default: 0.35, description: 'How soon the event followed the decision.' },
  },
  { name: 'metadata', weight: { default: 0.3, description: 'How much of their metadata agrees.' } },
  {
    name: 'agent_pattern',
    weight: { default: 0.2, description: 'What reviews said of the same agent and action.' },
  },
  {
    name: 'amount',
    weight: { default: 0.15, description: 'How usual the amount is for the action type.' },
  },
] as const;
export type WeightedGroup = (typeof WEIGHTED_GROUPS)[number]['name'];

/** A piece of evidence of `attribution/v1`. */
interface Feature {
  readonly name: string;
  /** The setting whose weight scales the prior of the feature; null if no setting does. */
  readonly group: WeightedGroup | null;
  readonly description: string;
}

/** Every feature of `attribution/v1`, in the order in which an explanation adds them up. */
export const FEATURES = [
  { name: 'base', group: null, description: 'A candidate before any evidence.' },
  {
    name: 'apart',
    group: null,
    description: 'Whether no decision shares an identifier with the event.',
  },
  {
    name: 'ledger',
    group: null,
    description: 'How many decisions it could have been; of candidates that share an identifier.',
  },
  {
    name: 'crowd',
    group: null,
    description: 'How many decisions are near; of candidates that share no identifier.',
  },
  {
    name: 'time',
    group: 'temporal',
    description: 'How usual the delay is for the action type and the event type.',
  },
  {
    name: 'identifier_exact',
    group: 'metadata',
    description: 'Rarity of the identifiers that are equal character by character, in bits.',
  },
  {
    name: 'identifier_canonical',
    group: 'metadata',
    description: 'Rarity of the identifiers that are equal but for their spelling, in bits.',
  },
  {
    name: 'identifier_digits',
    group: 'metadata',
    description: 'Rarity of the identifiers with the same digits and the same kind, in bits.',
  },
  {
    name: 'identifier_text',
    group: 'metadata',
    description: 'Rarity of the identifiers that one side states in a text, in bits.',
  },
  {
    name: 'identifier_linked',
    group: 'metadata',
    description:
      'Rarity of the identifiers shared with a decision that holds one of the event, in bits.',
  },
  {
    name: 'other_values',
    group: 'metadata',
    description: 'Rarity of other equal values, in bits.',
  },
  {
    name: 'transaction_key',
    group: 'metadata',
    description: 'Whether few decisions hold the rarest shared identifier: 1 for one, 0 for many.',
  },
  {
    name: 'latest_holder',
    group: 'metadata',
    description: 'Whether it is the latest decision with the rarest shared identifier.',
  },
  {
    name: 'contradiction',
    group: 'metadata',
    description: 'Keys under which both have identifiers of one shape, and none is equal.',
  },
  {
    name: 'unmatched',
    group: 'metadata',
    description: 'The event states identifiers, and this candidate shares none.',
  },
  {
    name: 'join',
    group: 'metadata',
    description: 'Whether a plain join names it: most equal values, equal amount, latest.',
  },
  {
    name: 'amount_equal',
    group: 'amount',
    description: 'Rarity of an equal stated amount, in bits.',
  },
  {
    name: 'amount_minor',
    group: 'amount',
    description: 'Rarity of an amount that is equal if read in minor units, in bits.',
  },
  {
    name: 'amount_converted',
    group: 'amount',
    description: 'An amount in another currency is equal within one per cent.',
  },
  {
    name: 'amount_part',
    group: 'amount',
    description: 'The event is a usual part of a stated amount: an instalment, a tax or a fee.',
  },
  {
    name: 'amount_sum',
    group: 'amount',
    description: 'The event is the sum of stated amounts.',
  },
  {
    name: 'amount_other',
    group: 'amount',
    description: 'The decision states amounts, and none fits the event.',
  },
  {
    name: 'amount_unstated',
    group: 'amount',
    description: 'No decision that shares an identifier states money, although causes do.',
  },
  {
    name: 'amount_again',
    group: 'amount',
    description: 'An earlier decision states the equal amount too, and this one adds another one.',
  },
  {
    name: 'event_type',
    group: 'agent_pattern',
    description: 'How often reviewed events of this type have a recorded cause.',
  },
  {
    name: 'compatibility',
    group: 'agent_pattern',
    description: 'How much more often than by chance this action type leads to this event type.',
  },
  {
    name: 'read_only',
    group: 'agent_pattern',
    description: 'The name of the action says that it only reads.',
  },
  {
    name: 'agent',
    group: 'agent_pattern',
    description: 'What reviews said of this agent and action type.',
  },
  {
    name: 'repetition',
    group: null,
    description: 'The same action on the same things with the same amounts was just taken.',
  },
  { name: 'failure', group: null, description: 'The outputs say that the action failed.' },
  {
    name: 'unrecorded',
    group: null,
    description: 'The cause may be unrecorded although a related decision is recorded.',
  },
] as const satisfies readonly Feature[];

export type FeatureName = (typeof FEATURES)[number]['name'];

interface Named {
  readonly name: string;
}

/**
 * An object with one member for each item, under its name.
 *
 * @example
 * ```ts
 * import { byName } from '@decision-ledger/contract/attribution-signals';
 *
 * byName([{ name: 'a' }, { name: 'b' }], ({ name }) => name.length); // => { a: 1, b: 1 }
 * ```
 */
export function byName<Item extends Named, Value>(
  items: readonly Item[],
  make: (item: Item) => Value,
): Record<Item['name'], Value> {
  const table: Partial<Record<string, Value>> = {};
  for (const item of items) table[item.name] = make(item);
  if (!hasAll(table, items)) throw new TypeError('two items have the same name');
  return table;
}

function hasAll<Item extends Named, Value>(
  table: Partial<Record<string, Value>>,
  items: readonly Item[],
): table is Record<Item['name'], Value> {
  return Object.keys(table).length === items.length;
}
