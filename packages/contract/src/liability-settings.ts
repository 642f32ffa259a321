import { type Static, Type } from 'typebox';
export const DEFAULT_LIABILITY = {
  response_cost: '0',
  loss_maturity_days: 90,
  loss_horizon_days: 365,
  loss_maturity_days_by_action_type: {},
};
export const LiabilitySettings = Type.Object(
  {
    response_cost: Type.String({ default: '0' }),
    loss_maturity_days: Type.Number(),
    loss_horizon_days: Type.Number(),
    loss_maturity_days_by_action_type: Type.Record(Type.String(), Type.Number()),
  },
  { additionalProperties: false },
);
export type LiabilitySettings = Static<typeof LiabilitySettings>;
