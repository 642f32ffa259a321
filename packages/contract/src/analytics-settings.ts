import { type Static, Type } from 'typebox';

export const DEFAULT_ANALYTICS = { customer_key: 'customer_id', close_after_days: 10 };

/** Settings of the profit and loss. */
export const AnalyticsSettings = Type.Object(
  {
    customer_key: Type.String({
      minLength: 1,
      maxLength: 200,
      default: DEFAULT_ANALYTICS.customer_key,
      description:
        'The member of the metadata that names the customer: that of the event, else that of the ' +
        'decision.',
    }),
    close_after_days: Type.Integer({
      minimum: 0,
      maximum: 366,
      default: DEFAULT_ANALYTICS.close_after_days,
      description: 'Days after the end of a month (UTC) until its figures are closed.',
    }),
  },
  { additionalProperties: false },
);
export type AnalyticsSettings = Static<typeof AnalyticsSettings>;
