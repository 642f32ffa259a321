import { type Static, Type } from 'typebox';
import { Name, RangeParameters } from './shared.js';

const Money = Type.String({ description: 'Decimal, in the base currency, to its minor unit.' });

/** What narrows every analysis. */
const filters = {
  ...RangeParameters,
  agent_id: Type.Optional(Name('Only what decisions of this agent moved.')),
  action_type: Type.Optional(Name('Only what decisions of this action type moved.')),
};

export const PnlQuery = Type.Object(filters, { additionalProperties: false });
export type PnlQuery = Static<typeof PnlQuery>;

/** Money by its economic character. Costs, refunds and losses are negative. */
const Figures = Type.Object({
  revenue: Money,
  savings: Money,
  costs: Money,
  refunds: Money,
  losses: Money,
  net: Money,
});

const Group = Type.Object({ key: Type.String(), expected: Figures, confirmed: Figures });

/** Amounts in their own currencies, which no rate converts. */
const ByCurrency = Type.Array(Type.Object({ currency: Type.String(), amount: Type.String() }));

/** The answer to GET /analytics/ai-pnl. */
export const Pnl = Type.Object({
  currency: Type.String({ description: 'The base currency of the settings.' }),
  total_revenue_attributed: Type.String({ description: 'Revenue of all links that stand.' }),
  net_ai_impact: Type.String({ description: 'The net of all links that stand.' }),
  expected: Type.Object(
    { ...Figures.properties },
    { description: 'All links that stand, suggestions by their strength.' },
  ),
  confirmed: Type.Object(
    { ...Figures.properties },
    { description: 'Links that people made or confirmed, alone.' },
  ),
  unattributed: Type.Union([Money, Type.Null()], {
    description:
      'What the events of the range hold beyond their links, with the sign that they have. Null ' +
      'where the analysis is of one agent or action type.',
  }),
  unconverted: Type.Object(
    { attributed: ByCurrency, unattributed: ByCurrency },
    { description: 'Money in currencies without a rate on its day; in none of the totals.' },
  ),
  decisions: Type.Integer({ description: 'Decisions of the range, by their own time.' }),
  by_agent: Type.Array(Group),
  by_action_type: Type.Array(Group),
  by_month: Type.Array(Group),
});
export type Pnl = Static<typeof Pnl>;
export type Figures = Static<typeof Figures>;
