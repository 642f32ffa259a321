import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  type DraftDecision,
  drawConfidence,
  fromCents,
  shareOf,
} from '../draft.js';

/** Decides how to ask for overdue invoices. An invoice has one to three reminders. */
export const dunning: Agent = {
  share: 25,
  hours: 'office',
  releases: [
    { from: 0, version: '0.9.4', model: 'ops-large-1' },
    { from: 0.35, version: '1.0.0', model: 'ops-large-2' },
  ],
  draft,
};

function draft({ at, random, company, number }: CaseContext): Draft {
  const invoice = `INV-${52_000 + number}`;
  const cents = Math.round(random.logNormal(96_000, 0.8));
  const reminders = random.pick([1, 1, 2, 3]);
  const decisions = Array.from({ length: reminders }, (_, step): DraftDecision => {
    const isPlan = step === 2;
    return {
      at: at + Math.round(step * random.between(9, 13) * DAY),
      action_type: isPlan ? 'offer_payment_plan' : 'send_reminder',
      inputs: {
        invoice_id: invoice,
        company: company.name,
        days_overdue: 7 + step * 11,
        open_amount: fromCents(cents),
        currency: company.currency,
      },
      outputs: isPlan
        ? {
            instalments: 3,
            instalment_amount: fromCents(shareOf(cents, 1 / 3)),
            currency: company.currency,
          }
        : {
            channel: random.pick(['email', 'email', 'phone', 'letter']),
            tone: step === 0 ? 'friendly' : 'firm',
          },
      confidence: drawConfidence(random, 0.55, 0.92),
      metadata: { customer_id: company.id, invoice_id: invoice },
    };
  });
  const last = decisions.at(-1);
  if (last === undefined || !random.chance(0.52)) return { decisions, events: [] };
  const isPart = last.action_type === 'offer_payment_plan';
  const payment = {
    at: last.at + Math.round(random.between(0.5, 8) * DAY),
    cause: decisions.length - 1,
    isNamed: random.chance(0.06),
    body: {
      source: 'bank',
      event_type: 'invoice_payment',
      amount: fromCents(isPart ? shareOf(cents, 1 / 3) : cents),
      currency: company.currency,
      external_id: `SEPA-${random.code(12)}`,
      description: random.chance(0.7) ? `${company.name} ${invoice}` : company.name,
      metadata: { customer_id: company.id },
    },
  };
  return { decisions, events: [payment] };
}
