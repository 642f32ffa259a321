// Examples of budgets, of which a walk-through of one day uses none.

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

export const BUDGET_EXAMPLES = {
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
