import { type Static, Type } from 'typebox';

/** The answer to a payment processor's webhook. */
export const WebhookReceipt = Type.Object({
  status: Type.Enum(['accepted', 'duplicate', 'ignored'], {
    description:
      'accepted: it will be processed. duplicate: it was accepted before. ignored: it moves no ' +
      'money, or belongs to another mode or account.',
  }),
  reason: Type.Optional(Type.Enum(['type', 'mode', 'account'])),
});
export type WebhookReceipt = Static<typeof WebhookReceipt>;

export const WebhookQuery = Type.Object(
  {
    key: Type.Optional(
      Type.String({
        description: 'A key with the permission webhook, for clients that cannot send a header.',
      }),
    ),
  },
  { additionalProperties: false },
);
