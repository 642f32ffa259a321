import { Ledger } from '@decision-ledger/client';

/** More than two pages of the list. */
export const DECISIONS = 260;

/** Text that would do something if it were read as markup, a template or a script. */
export const HOSTILE = [
  '<img src=x onerror="window.injected=1">',
  '</pre><script>window.injected=1</script>',
  'javascript:window.injected=1',
  '{{constructor.constructor("window.injected=1")()}}',
].join(' ');

const HOUR = 3_600_000;
const NEWEST = Date.parse('2026-04-30T12:00:00Z');

/** Fills a ledger. What is recorded depends on nothing but this file. */
export async function seed(url: string, key: string): Promise<void> {
  const ledger = new Ledger({ url, key });
  for (let n = 0; n < DECISIONS; n += 1) ledger.record(decisionOf(n));
  // A busy machine takes longer than a client waits by itself.
  await ledger.close({ timeoutMs: 240_000 });
  const [hostile] = await ledger.decisions.list({ agent_id: HOSTILE }).toArray(1);
  const [linked] = await ledger.decisions.list({ agent_id: 'refund-bot' }).toArray(1);
  if (hostile === undefined || linked === undefined) throw new Error('the ledger is not seeded');
  await seedMoney(ledger);
  const event = await ledger.events.create({
    ...{ source: 'billing', event_type: 'refund', amount: '1249.99', currency: 'EUR' },
    ...{ external_id: 'R-1041', timestamp: '2026-04-30T13:00:00Z', description: HOSTILE },
  });
  await ledger.links.create({
    ...{ decision_id: linked.decision_id, financial_event_id: event.id },
    ...{ correlation_strength: 1, link_type: 'refund', attribution_method: 'direct' },
  });
  await ledger.decisions.erase(linked.decision_id, { fields: ['alternatives'], reason: 'Request' });
}

/** In the base currency: 233.40 net in all. */
const MONEY = [
  ['revenue', '200.10'],
  ['revenue', '99.80'],
  ['saving', '29.00'],
  ['cost', '-20.00'],
  ['refund', '-15.50'],
  ['loss', '-60.00'],
] as const;

/** Confirmed money of decisions of the pricing agent, one event a day. */
async function seedMoney(ledger: Ledger): Promise<void> {
  const decisions = await ledger.decisions
    .list({ agent_id: 'pricing-agent' })
    .toArray(MONEY.length);
  for (const [at, [link_type, amount]] of MONEY.entries()) {
    const event = await ledger.events.create({
      ...{ source: 'shop', event_type: link_type, amount, currency: 'USD' },
      timestamp: `2026-04-${30 - at}T13:00:00Z`,
    });
    await ledger.links.create({
      ...{ decision_id: decisions[at]?.decision_id ?? '', financial_event_id: event.id },
      ...{ correlation_strength: 1, link_type, attribution_method: 'direct' },
    });
  }
}

function decisionOf(n: number) {
  const timestamp = new Date(NEWEST - (DECISIONS - n) * HOUR).toISOString();
  const isRefund = n % 3 === 0;
  return {
    agent_id: n === DECISIONS - 1 ? HOSTILE : isRefund ? 'refund-bot' : 'pricing-agent',
    action_type: isRefund ? 'refund' : 'discount',
    inputs: { order: `A-${n}`, note: n === DECISIONS - 1 ? HOSTILE : 'damaged' },
    outputs: { approved: true, amount: `${n}.50`, currency: 'EUR' },
    alternatives: [{ action: 'replace' }],
    metadata: { customer_id: `c-${n % 10}` },
    confidence: (n % 20) / 20,
    human_in_loop: n % 7 === 0,
    timestamp,
  };
}
