import { Movement } from '@decision-ledger/contract/financial-event';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { type Client, dataOf } from '../../support/client.js';
import { decide } from '../../support/estimates.js';
import { bundleOf } from '../../support/exports.js';
import { followLogs } from '../../support/followers.js';
import { link, recordEvent } from '../../support/money.js';
import type { TestService } from '../../support/service.js';
import { type JanuaryLedger, januaryLedger } from './january.js';

const SALE = { event_type: 'payment', currency: 'USD', metadata: {} };
const BOOKS = { ...SALE, source: 'accounting/main' };
const TAXED = { currency: 'USD', total: '70.00', untaxed: '68.00', tax: '2.00' };

/** A ledger with money of January that others report, too: ids by name. */
export interface MoneyStory extends JanuaryLedger {
  readonly ids: Readonly<Record<Name, string>>;
}

type Name =
  | 'alpha'
  | 'beta'
  | 'charge'
  | 'booking'
  | 'sale'
  | 'repeat'
  | 'parted'
  | 'other'
  | 'strange'
  | 'linkOfSale'
  | 'linkOfRepeat'
  | 'lateLink'
  | 'linkOfStrange'
  | 'gamma'
  | 'paid'
  | 'repaid'
  | 'linkOfPaid'
  | 'lateOfPaid'
  | 'taken'
  | 'lateTaken';

/**
 * A rule pairs a charge of January with a booking of February. A person pairs a sale with one that repeats it in
 * February and states its tax, with links of several agents; and a person parts two that a rule had paired. A booking of February is
 * of other money. A refund of January takes the links of its payment, which is of December.
 */
export async function moneyStory(bed: TestService): Promise<MoneyStory> {
  const ledger = await januaryLedger(bed);
  const { client, scope, goTo } = ledger;
  const follow = () => followLogs(bed.service, [scope.ledgerId]);
  const record = async (fields: object) => (await recordEvent(client, { ...fields })).id;
  await goTo('2026-12-30T10:00:00Z');
  await decide(client, { agent_id: 'nobody' });
  // It signs a round of both logs, before the range.
  await bundleOf(bed, client, { export_type: 'insurance' });
  await goTo('2027-01-10T10:00:00Z');
  const alpha = (await decide(client, { agent_id: 'alpha' })).decision_id;
  const beta = (await decide(client, { agent_id: 'beta' })).decision_id;
  const gamma = (await decide(client, { agent_id: 'gamma' })).decision_id;
  await goTo('2027-02-20T10:00:00Z');
  const late = (await decide(client, { agent_id: 'nobody' })).decision_id;
  const charge = await record({
    ...{ ...SALE, source: 'stripe', external_id: 'ch_1', amount: '100.00' },
    timestamp: '2027-01-30T12:00:00.000Z',
  });
  const booking = await record({
    ...{ ...BOOKS, external_id: 'B1', amount: '100.00', timestamp: '2027-02-02T00:00:00.000Z' },
  });
  const sale = await record({
    ...{ ...SALE, source: 'shop', amount: '70.00', timestamp: '2027-01-30T15:00:00.000Z' },
  });
  const repeat = await record({
    ...{ ...BOOKS, external_id: 'B2', amount: '68.00', timestamp: '2027-02-03T00:00:00.000Z' },
    metadata: { account: 'income', transaction: TAXED },
  });
  const parted = await record({
    ...{ ...SALE, source: 'stripe', external_id: 'ch_2', amount: '55.00' },
    timestamp: '2027-01-12T12:00:00.000Z',
  });
  const other = await record({
    ...{ ...BOOKS, external_id: 'B3', amount: '55.00', timestamp: '2027-01-13T00:00:00.000Z' },
  });
  const strange = await record({
    ...{ ...BOOKS, external_id: 'B4', amount: '9.00', timestamp: '2027-02-05T00:00:00.000Z' },
  });
  const paid = await record({
    ...{ ...SALE, source: 'shop', external_id: 'P-1', amount: '80.00' },
    timestamp: '2026-12-20T12:00:00.000Z',
  });
  const repaid = await record({
    ...{ ...SALE, source: 'shop', event_type: 'refund', amount: '-20.00' },
    ...{ metadata: { reverses: 'P-1' }, timestamp: '2027-01-15T12:00:00.000Z' },
  });
  await follow();
  await move(client, 'part', { report: other });
  await move(client, 'pair', { reports: [sale, repeat] });
  const linkOfSale = await linked(client, alpha, sale, 1);
  const linkOfRepeat = await linked(client, beta, repeat, 0.5);
  const lateLink = await linked(client, late, repeat, 0.5);
  const linkOfStrange = await linked(client, late, strange, 1);
  const linkOfPaid = await linked(client, gamma, paid, 0.5);
  const lateOfPaid = await linked(client, late, paid, 0.25);
  await follow();
  const inherited = async (decision: string) => {
    const query = `financial_event_id=${repaid}&decision_id=${decision}`;
    const { links } = dataOf(await client.get(`/links?${query}`), LinkPage);
    return links[0]?.id ?? '';
  };
  const [taken, lateTaken] = [await inherited(gamma), await inherited(late)];
  const payment = { gamma, paid, repaid, linkOfPaid, lateOfPaid, taken, lateTaken };
  const ids = { alpha, beta, charge, booking, sale, repeat, parted, other, strange };
  return {
    ...ledger,
    ids: { ...ids, ...payment, linkOfSale, linkOfRepeat, lateLink, linkOfStrange },
  };
}

async function move(client: Client, verb: 'pair' | 'part', body: object): Promise<void> {
  dataOf(await client.post(`/movements/${verb}`, body), Movement);
}

async function linked(client: Client, decision: string, event: string, strength: number) {
  const fields = { correlation_strength: strength, link_type: 'revenue' };
  return dataOf(await client.post('/links', link(decision, event, fields)), Link, 201).id;
}
