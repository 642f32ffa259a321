import { type Static, Type } from 'typebox';
import { Id } from './shared.js';
import { MoneyKind, Standing } from './source-profiles.js';

const Amount = (description: string) => Type.String({ description: `${description} A decimal.` });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Exposures = {
  decisions: Count('Decisions, of which `changed` would have another exposure.'),
  changed: Count('Decisions whose exposure would change by a minor unit or more.'),
  exposure_before: Amount('With the current settings.'),
  exposure_after: Amount('With the settings of the request.'),
};

const MoneyLine = Type.Object({
  standing: Standing,
  kind: MoneyKind,
  currency: Type.String(),
  events_before: Count('Events with this standing and kind now.'),
  events_after: Count('Events with them after the change.'),
  amount_before: Amount('The sum of their amounts now, with their signs.'),
  amount_after: Amount('The sum of their amounts after the change.'),
});

const Grouped = Type.Object({
  lead: Id('evt'),
  reports: Type.Array(Id('evt'), { description: 'All events of the movement.' }),
});

const Recounted = Type.Object({
  financial_event_id: Id('evt'),
  source: Type.String(),
  event_type: Type.String(),
  amount: Amount('As recorded.'),
  currency: Type.String(),
  kind_before: MoneyKind,
  kind_after: MoneyKind,
  standing_before: Standing,
  standing_after: Standing,
  counted_before: Amount('What it counts now, with its sign.'),
  counted_after: Amount('What it would count.'),
  movement_before: Grouped,
  movement_after: Grouped,
});

/** What a change of settings would do to the last events that were recorded. */
const MoneyPreview = Type.Object(
  {
    examined: Count(
      'Events that were counted with both settings: the last 1,000, and all of the movements that would change.',
    ),
    changed: Count('Events that would count otherwise, or report the same money as others.'),
    lines: Type.Array(MoneyLine, { description: 'All examined events, by standing and kind.' }),
    examples: Type.Array(Recounted, { description: 'At most 20 of the changed events.' }),
  },
  {
    description:
      'What link types, signs and profiles would do to the last events, and with which others rules would pair them.',
  },
);
export type MoneyPreview = Static<typeof MoneyPreview>;

/** What a change of settings would do to the exposure, estimated now with both, and to the money. */
export const SettingsPreview = Type.Object(
  {
    currency_before: Type.String({ description: 'The currency of exposure_before.' }),
    currency_after: Type.String({ description: 'The currency of exposure_after.' }),
    ...Exposures,
    examined: Count(
      'Decisions that were estimated. Fewer than `decisions`: an even sample, extrapolated.',
    ),
    by_action_type: Type.Array(Type.Object({ action_type: Type.String(), ...Exposures }), {
      description: 'The largest changes of the exposure first, at most 200 action types.',
    }),
    money: MoneyPreview,
  },
  { description: 'Only with dry_run=true.' },
);
export type SettingsPreview = Static<typeof SettingsPreview>;
export type ExposurePreview = Omit<SettingsPreview, 'money'>;

/** What a review would do to the money and the exposure of the decisions of its event. */
export const ReviewPreview = Type.Object(
  {
    currency: Type.String({ description: 'The base currency.' }),
    net_before: Amount('What the event counts as confirmed or matched money now.'),
    net_after: Amount('What it would count after the review.'),
    exposure_before: Amount('The exposure of the decisions that have a share of the event, now.'),
    exposure_after: Amount('Their exposure after the review.'),
    unconverted: Type.Boolean({
      description: 'Whether net is 0 because there is no rate for the currency of the event.',
    }),
    parted: Type.Array(Id('evt'), {
      description:
        'Events that report the same money now, and would count by themselves: rules part events whose links name ' +
        'different decisions. A link on one of these events instead shares the money between both decisions.',
    }),
  },
  { description: 'Only with dry_run=true.' },
);
export type ReviewPreview = Static<typeof ReviewPreview>;

const CurrencySum = Type.Object({ currency: Type.String(), amount: Amount('With its sign.') });

/** What pairing two events would change. */
export const PairPreview = Type.Object(
  {
    counted_before: Type.Array(CurrencySum, {
      description: 'What the events of both movements count now, by currency.',
    }),
    counted_after: Type.Array(CurrencySum, { description: 'What they would count.' }),
  },
  { description: 'Only with dry_run=true.' },
);
export type PairPreview = Static<typeof PairPreview>;

/** The query of a request that can be tried out. */
export const DryRunQuery = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({
        description: 'true: changes nothing, and answers what would change. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
);
