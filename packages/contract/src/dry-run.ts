import { type Static, Type } from 'typebox';

const Amount = (description: string) => Type.String({ description: `${description} A decimal.` });
const Count = (description: string) => Type.Integer({ minimum: 0, description });

const Exposures = {
  decisions: Count('Decisions, of which `changed` would have another exposure.'),
  changed: Count('Decisions whose exposure would change by a minor unit or more.'),
  exposure_before: Amount('With the current settings.'),
  exposure_after: Amount('With the settings of the request.'),
};

/** What a change of settings would do to the exposure, estimated now with both. */
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
  },
  { description: 'Only with dry_run=true.' },
);
export type SettingsPreview = Static<typeof SettingsPreview>;

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
  },
  { description: 'Only with dry_run=true.' },
);
export type ReviewPreview = Static<typeof ReviewPreview>;

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
