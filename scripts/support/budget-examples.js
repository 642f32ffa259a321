// Examples of budgets and running costs, of which a walk-through of one day has none.

const USED = {
  measure: 'refunds',
  agent_id: 'refund-bot',
  action_type: null,
  period: 'day',
  period_start: '2026-04-16T00:00:00.000Z',
  amount: '500.00',
  used: '412.80',
};

const BUDGET = {
  id: 'refunds-of-the-day',
  ...USED,
  left: '87.20',
  status: 'within',
  reached_percent: 80,
  measured_at: '2026-04-16T09:30:00.000Z',
};

const COST = {
  decisions: 120,
  costed: 118,
  unpriced: 2,
  unconverted: 0,
  cost: '4.13',
  net: '912.40',
  net_after_cost: '908.27',
  cost_per_decision: '0.034417',
  net_per_decision: '7.568917',
};

export const BUDGET_EXAMPLES = {
  RunningCosts: {
    currency: 'EUR',
    as_of: '2026-04-16T09:30:00.000Z',
    activity_seq: 214,
    ...COST,
    by_month: [{ month: '2026-04', ...COST }],
  },
  BudgetStates: { currency: 'EUR', budgets: [BUDGET] },
  BudgetCheck: { currency: 'EUR', is_exceeded: false, budgets: [BUDGET] },
  BudgetReached: {
    id: '1c.9.4.q0T2mVZr5s8xK1aC',
    type: 'budget.reached',
    mode: 'live',
    time: '2026-04-16T09:30:00.000Z',
    seq: 14,
    data: { budget: 'refunds-of-the-day', ...USED, percent: 80, currency: 'EUR' },
  },
};
