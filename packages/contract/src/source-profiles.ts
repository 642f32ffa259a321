import { type Static, Type } from 'typebox';
import { Name } from './shared.js';

export const MoneyKind = Type.Enum(
  [
    ...(['sale', 'refund', 'fee', 'tax', 'payout', 'dispute', 'recovery'] as const),
    ...(['transfer', 'cost', 'other'] as const),
  ],
  {
    description:
      'What the money is for. recovery: of a dispute that was won. payout, transfer: between accounts of your own, ' +
      'conversions included; they count 0. other: nothing says, or the event is deleted.',
  },
);
export type MoneyKind = Static<typeof MoneyKind>;

export const MoneyState = Type.Enum(['planned', 'authorised', 'moved', 'void', 'unclassified'], {
  description:
    'How far the money has come. Only moved counts. planned: a forecast, an accrual, a pending line. authorised: ' +
    'promised, and not captured. void: came back untouched. unclassified: of a source without signs, and nothing says ' +
    'in which direction it moved.',
});
export type MoneyState = Static<typeof MoneyState>;

const UNCOUNTED = [
  ...(['counted_once', 'planned', 'authorised', 'void'] as const),
  ...(['between_own_accounts', 'unclassified'] as const),
] as const;

/** The lines of all money that do not count: the tax of what counts, and events that do not count. */
export const LINES = ['tax', ...UNCOUNTED] as const;
export type Line = (typeof LINES)[number];

/** Each event has one: the parts of all money that do not count are lines of their own. */
export const Standing = Type.Enum(['counted', ...UNCOUNTED, 'deleted'], {
  description:
    'Whether the event counts, and if not, why. counted_once: another event of its movement counts. ' +
    'between_own_accounts: a payout or transfer. planned, authorised, void: nothing moved. unclassified: of a source ' +
    'without signs, and nothing says in which direction it moved.',
});
export type Standing = Static<typeof Standing>;

const Pattern = (description: string) =>
  Name(`${description} A \`*\` at its end stands for any further characters.`);

/** Whether a text is a pattern, or begins with what stands before the `*` at its end. */
export function matchesPattern(pattern: string, text: string): boolean {
  return pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern;
}

/** Kind and state of the events of some types, or with some metadata. */
const KindRow = Type.Object(
  {
    event_types: Type.Array(
      Pattern(
        'An event type, compared by its words: `PAYMENT.CAPTURE` is the same as `payment_capture`.',
      ),
      { minItems: 1, maxItems: 50, description: 'Any one of them. `*` is every event type.' },
    ),
    when: Type.Optional(
      Type.Object(
        {
          member: Name('A member of the metadata.'),
          value: Type.Optional(Name('Its value, in any case. Without it: any value.')),
        },
        { additionalProperties: false, description: 'Only events with this metadata.' },
      ),
    ),
    kind: MoneyKind,
    state: Type.Optional(
      Type.Enum(['planned', 'authorised', 'moved', 'void'], { description: 'Default: moved.' }),
    ),
  },
  { additionalProperties: false },
);
export type KindRow = Static<typeof KindRow>;

/** When the money of the reports of a source moved, for comparison: recorded times stay as they are. */
const Clock = Type.Object(
  {
    time_zone: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_+:/-]{1,64}$',
        'x-problem': 'must be an IANA time zone such as Europe/Berlin, or an offset such as +02:00',
        description:
          'Of local times that are stated as if they were UTC: an IANA name, or an offset such as `+02:00`.',
      }),
    ),
    whole_days: Type.Boolean({
      description:
        'Whether the source states days alone: the money moved at any time of the day that `timestamp` has in UTC, ' +
        'which is a day in `time_zone`, by default that of the settings of attribution.',
    }),
  },
  {
    additionalProperties: false,
    description:
      'When the money moved, where it is compared with that of other events. `timestamp` stays as it was recorded.',
  },
);
export type Clock = Static<typeof Clock>;

/** In what units the objects of a source state amounts. */
export const PayloadUnits = Type.Object(
  {
    when: Type.Optional(
      Type.Object(
        {
          member: Name('A member of the object.'),
          values: Type.Optional(
            Type.Array(Name('A value, in any case.'), {
              minItems: 1,
              maxItems: 100,
              description: 'Any one of them. Without them: any value.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'Only in objects with this member, and in all that lies in them.',
        },
      ),
    ),
    keys: Type.Array(
      Name(
        'A key, or with a point the key of the object around it as well: `amount.value`. A `*` at the beginning or ' +
          'the end stands for any further characters.',
      ),
      { minItems: 1, maxItems: 20, description: 'Any one of them. `*` is every key.' },
    ),
    unit: Type.Enum(['minor', 'major'], {
      description: 'minor: in cents, or what the currency has instead. major: as written.',
    }),
  },
  { additionalProperties: false },
);
export type PayloadUnits = Static<typeof PayloadUnits>;

/** What the reports of a source mean. */
export const SourceProfile = Type.Object(
  {
    name: Name('A name for people.'),
    source: Pattern('The source of events.'),
    kinds: Type.Optional(
      Type.Array(KindRow, {
        maxItems: 100,
        description:
          'The first row that applies decides. An event that no row knows moved, and its kind follows from its link type.',
      }),
    ),
    repeats: Type.Optional(
      Type.Array(Pattern('A source whose reports this one repeats.'), {
        maxItems: 50,
        description:
          'Events of both within 4 days are paired without a shared reference, where everything agrees. A source ' +
          'repeats itself only where it is named without `*`.',
      }),
    ),
    references: Type.Optional(
      Type.Array(
        Type.String({
          maxLength: 200,
          pattern: '^(?:external_id|description|metadata\\..+)$',
          'x-problem': 'must be external_id, description, or a member such as metadata.order',
        }),
        {
          maxItems: 50,
          description:
            'What references are read from: `external_id`, `description`, `metadata.` and the name of a member. ' +
            'Default: all of them.',
        },
      ),
    ),
    clock: Type.Optional(Clock),
    units: Type.Optional(
      Type.Array(PayloadUnits, {
        maxItems: 10,
        description:
          'In what units objects of this source state amounts inside the payloads of decisions, for their exposure. The ' +
          'first row that applies decides, of all profiles.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type SourceProfile = Static<typeof SourceProfile>;
