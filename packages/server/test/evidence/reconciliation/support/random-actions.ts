import { KeyPage, SessionPage } from '@decision-ledger/contract/access';
import { FinancialEventPage } from '@decision-ledger/contract/financial-event';
import { LinkPage } from '@decision-ledger/contract/link';
import { closeMonths } from '#server/domains/answers/analytics/close-months';
import { suggestNow } from '#server/domains/judgement/attribution/index';
import { runNow } from '#server/domains/judgement/liability/index';
import { recounts } from '#server/domains/record/financial-events/index';
import { catchUpDue } from '#server/platform/followers/due-step';
import { dataOf } from '../../../support/client.js';
import { askFor, make } from '../../../support/exports.js';
import { followLogs } from '../../../support/followers.js';
import { recordEvent } from '../../../support/money.js';
import type { TestService } from '../../../support/service.js';
import type { Actions } from './full-ledger.js';

export interface RandomLedger {
  readonly bed: TestService;
  readonly actions: Actions;
  readonly random: () => number;
  readonly decisions: string[];
}

type Action = (ledger: RandomLedger) => Promise<unknown>;

const WORDS = ['payment', 'refund issued', 'chargeback', 'fee', 'loss'];
const TYPES = ['revenue', 'cost', 'refund', 'loss', 'saving'];
const CURRENCIES = ['USD', 'EUR', 'JPY'];

function pick<Item>(random: () => number, items: readonly Item[]): Item | undefined {
  return items[Math.floor(random() * items.length)];
}

async function anyEvent({ actions, random }: RandomLedger): Promise<string> {
  const page = dataOf(await actions.client.get('/financial-events?limit=100'), FinancialEventPage);
  return pick(random, page.financial_events)?.id ?? '';
}

async function anyLink({ actions, random }: RandomLedger, query: string): Promise<string> {
  const page = dataOf(await actions.client.get(`/links?limit=100${query}`), LinkPage);
  return pick(random, page.links)?.id ?? '';
}

const fieldsOf = (random: () => number) => ({
  amount: `${random() < 0.3 ? '-' : ''}${Math.ceil(random() * 1000)}.${Math.floor(random() * 90 + 10)}`,
  event_type: pick(random, WORDS),
  currency: pick(random, CURRENCIES),
  ...(random() < 0.5 && { description: 'random', metadata: { ticket: random() } }),
  timestamp: new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 100))).toISOString(),
});

/** Answers that refuse an action are as good as others: what was refused must have changed nothing. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  async decide({ actions, random, decisions }) {
    const amount = String(Math.ceil(random() * 500));
    const ticket = `T-${Math.floor(random() * 20)}`;
    const experiment = pick(random, [
      { id: 'e', arm: 'a', propensity: random() },
      { id: 'e' },
      null,
    ]);
    const metadata = random() < 0.3 ? { ticket, experiment } : { ticket };
    const fields =
      random() < 0.6 ? { outputs: { amount, currency: 'USD' }, metadata } : { metadata };
    decisions.push(await actions.decide({ ...fields, agent_id: pick(random, ['a', 'b']) }));
  },
  record: ({ actions, random }) => recordEvent(actions.client, fieldsOf(random)),
  happen: ({ actions, random }) => actions.happen(`source:${random()}`, fieldsOf(random)),
  async correct(ledger) {
    const id = await anyEvent(ledger);
    if (id !== '') await ledger.actions.correct(id, fieldsOf(ledger.random));
  },
  async forget(ledger) {
    await ledger.actions.client.delete(`/financial-events/${await anyEvent(ledger)}`);
  },
  async link(ledger) {
    const { actions, random, decisions } = ledger;
    await actions.client.post('/links', {
      decision_id: pick(random, decisions),
      financial_event_id: await anyEvent(ledger),
      correlation_strength: Math.round(random() * 100) / 100,
      link_type: pick(random, TYPES),
      attribution_method: 'manual',
      ...(random() < 0.3 && { notes: 'by hand' }),
    });
  },
  async suggest(ledger) {
    const { actions, random, decisions } = ledger;
    const eventId = await anyEvent(ledger);
    const page = dataOf(
      await actions.client.get('/financial-events?limit=100'),
      FinancialEventPage,
    );
    if (!page.financial_events.some(({ id }) => id === eventId)) return;
    const query = `/links?financial_event_id=${eventId}&limit=100`;
    const linked = new Set(
      dataOf(await actions.client.get(query), LinkPage).links.map((link) => link.decision_id),
    );
    const free = decisions.filter((id) => !linked.has(id));
    const chosen = new Set([pick(random, free), pick(random, free)].flatMap((id) => id ?? []));
    const share = random() / 2;
    await actions.suggest(
      eventId,
      ...[...chosen].map((decisionId) => ({
        decisionId,
        strength: Math.round(share * 1000) / 1000,
      })),
    );
  },
  async correlate({ bed, actions }) {
    await suggestNow(
      bed.service.db.ledger(actions.scope),
      bed.service.hooks,
      new AbortController().signal,
    );
  },
  async confirm(ledger) {
    const id = await anyLink(ledger, '&status=ML_SUGGESTED');
    await ledger.actions.client.post(`/links/${id}/confirm`, {});
  },
  async reject(ledger) {
    const id = await anyLink(ledger, '&status=ML_SUGGESTED');
    await ledger.actions.client.post(`/links/${id}/reject`, '');
  },
  async unlink(ledger) {
    await ledger.actions.client.delete(`/links/${await anyLink(ledger, '')}`);
  },
  async review(ledger) {
    const { actions, random, decisions } = ledger;
    const answers = [{ none: true }, { skip: true }, { decision_id: pick(random, decisions) }];
    await actions.client.post(`/reviews/${await anyEvent(ledger)}`, pick(random, answers));
  },
  async change({ actions, random }) {
    await actions.client.patch('/settings', {
      attribution: { unsigned_sources: random() < 0.5 ? ['billing'] : [] },
      ...(random() < 0.5 && { alerts: { url: 'https://example.com/x', secret: secretOf(random) } }),
    });
  },
  async rate({ actions, random }) {
    const rates = [{ from: 'EUR', to: 'USD', rate: (1 + random()).toFixed(4), date: '2026-01-01' }];
    await actions.client.patch('/settings', { exchange_rates: rates });
  },
  recount: ({ bed, actions }) =>
    catchUpDue(
      bed.service.db.ledger(actions.scope),
      recounts(bed.service.hooks),
      new AbortController().signal,
    ),
  async erase({ actions, random, decisions }) {
    const body = { fields: [pick(random, ['outputs', 'metadata', 'inputs'])], reason: 'asked' };
    await actions.client.post(`/decisions/${pick(random, decisions)}/erase`, body);
  },
  issue: ({ actions }) =>
    actions.client.post('/keys', { name: 'k', permissions: ['read', 'admin'] }),
  async revoke({ actions, random }) {
    const page = dataOf(await actions.client.get('/keys'), KeyPage);
    const key = pick(
      random,
      page.keys.filter(({ name }) => name === 'k'),
    );
    await actions.client.delete(`/keys/${key?.key_id ?? ''}`);
  },
  open: ({ actions }) => actions.client.post('/sessions', { name: 'Ada' }),
  async close({ actions, random }) {
    const page = dataOf(await actions.client.get('/sessions'), SessionPage);
    await actions.client.delete(`/sessions/${pick(random, page.sessions)?.session_id ?? ''}`);
  },
  async night({ bed, actions }) {
    bed.clock.advance(24 * 3_600_000);
    await closeMonths(bed.service.db.ledger(actions.scope), new AbortController().signal);
    await runNow(bed.service.db.ledger(actions.scope), bed.service, () => undefined);
  },
  follow: ({ bed }) => followLogs(bed.service),
  async export({ bed, actions }) {
    await make(bed, actions.client, (await askFor(actions.client)).export_id);
  },
};

function secretOf(random: () => number): string {
  const bytes = Buffer.alloc(32, Math.floor(random() * 256));
  return `whsec_${bytes.toString('base64')}`;
}
