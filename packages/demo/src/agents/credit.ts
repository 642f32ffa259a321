import {
  type Agent,
  type CaseContext,
  DAY,
  type Draft,
  type DraftEvent,
  drawConfidence,
  fromCents,
  shareOf,
} from '../draft.js';
import { APPROVERS } from '../people.js';

const GRADES = ['A', 'B', 'C', 'D'] as const;
type Grade = (typeof GRADES)[number];
/** How many credits of a grade are approved, and how many of these are not paid back. */
const RISK: Readonly<Record<Grade, { readonly approved: number; readonly lost: number }>> = {
  A: { approved: 0.97, lost: 0.01 },
  B: { approved: 0.85, lost: 0.03 },
  C: { approved: 0.5, lost: 0.08 },
  D: { approved: 0.12, lost: 0.2 },
};

/** Grants companies the right to pay later. */
export const credit: Agent = {
  share: 130,
  hours: 'office',
  releases: [
    { from: 0, version: '5.1', model: 'risk-medium-2' },
    { from: 0.4, version: '5.2', model: 'risk-medium-2' },
    { from: 0.77, version: '6.0', model: 'risk-medium-3' },
  ],
  draft,
};

function draft(context: CaseContext): Draft {
  const { at, random, company, number } = context;
  const grade = random.pick(GRADES);
  const isApproved = random.chance(RISK[grade].approved);
  const cents = Math.round(random.logNormal(620_000, 0.7) / 10_000) * 10_000;
  const application = `CR-${9000 + number}`;
  const isReviewed = cents > 1_500_000;
  const stated = { credit_amount: fromCents(cents), currency: company.currency };
  const decision = {
    at,
    action_type: 'grant_trade_credit',
    inputs: {
      application_id: application,
      company: company.name,
      country: company.country,
      grade,
      ...{
        requested_amount: fromCents(cents),
        currency: company.currency,
        years_trading: random.int(1, 30),
      },
    },
    outputs: isApproved
      ? { approved: true, ...stated, payment_days: 30 }
      : { approved: false, ...stated, reason: `grade ${grade} is above the accepted risk` },
    confidence: drawConfidence(random, 0.6, 0.93),
    alternatives: [{ action: 'ask_for_prepayment' }],
    human_in_loop: isReviewed,
    metadata: {
      customer_id: company.id,
      application_id: application,
      ...(isReviewed && { reviewer_id: random.pick(APPROVERS) }),
    },
  };
  const isLost = isApproved && random.chance(RISK[grade].lost);
  return { decisions: [decision], events: isLost ? losses(context, application, cents) : [] };
}

function losses(
  { at, random, company }: CaseContext,
  application: string,
  cents: number,
): DraftEvent[] {
  const lostAt = at + Math.round(random.between(45, 110) * DAY);
  const common = { source: 'accounting', currency: company.currency };
  const metadata = { customer_id: company.id, application_id: application };
  const lost = shareOf(cents, random.between(0.3, 0.95));
  const writeOff: DraftEvent = {
    at: lostAt,
    cause: 0,
    isNamed: true,
    body: {
      ...common,
      metadata,
      event_type: 'write_off',
      amount: `-${fromCents(lost)}`,
      ...{
        external_id: `WO-${application}`,
        description: `Receivable of ${company.name} written off`,
      },
    },
  };
  if (!random.chance(0.25)) return [writeOff];
  return [
    writeOff,
    {
      at: lostAt + 35 * DAY,
      cause: 0,
      isNamed: true,
      body: {
        ...{
          ...common,
          metadata,
          event_type: 'write_off_recovery',
          amount: fromCents(shareOf(lost, 0.4)),
        },
        external_id: `WR-${application}`,
        description: `Late payment of ${company.name}`,
      },
    },
  ];
}
