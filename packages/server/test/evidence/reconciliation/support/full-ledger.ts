import { IssuedKey, OpenedSession } from '@decision-ledger/contract/access';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Link, LinkPage } from '@decision-ledger/contract/link';
import { readSettings } from '#server/domains/access/settings/index';
import { closeMonths } from '#server/domains/answers/analytics/close-months';
import { replaceSigningKey } from '#server/domains/evidence/signing-keys/index';
import { currentScoringModel } from '#server/domains/judgement/attribution/models';
import { runNow } from '#server/domains/judgement/liability/index';
import { recordEvent as recordEventOf } from '#server/domains/record/financial-events/index';
import { carryLinks, writeSuggestions } from '#server/domains/record/links/index';
import { idToUuid, uuidToId } from '#server/platform/ids';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../../../support/client.js';
import { askFor, make } from '../../../support/exports.js';
import { followLogs } from '../../../support/followers.js';
import { SCORE } from '../../../support/link-score.js';
import { event, link, recordEvent } from '../../../support/money.js';
import { scopeOf, type TestService } from '../../../support/service.js';

type Fields = Readonly<Record<string, unknown>>;

/** The actions of a ledger on which everything that evidence depends on happens. */
export interface Actions {
  readonly client: Client;
  readonly scope: Scope;
  decide(fields?: Fields): Promise<string>;
  link(decisionId: string, eventId: string, fields?: Fields): Promise<string>;
  suggest(eventId: string, ...suggested: readonly Suggested[]): Promise<string[]>;
  /** Records another version of an event, as a source does. @returns its id */
  correct(eventId: string, fields: Fields): Promise<string>;
  /** An event of a source object. @returns its id */
  happen(origin: string, fields?: Fields): Promise<string>;
}

export interface Suggested {
  readonly decisionId: string;
  readonly strength: number;
}

const uuidOf = (prefix: 'dec' | 'evt', id: string) => idToUuid(prefix, id) ?? '';

export function actionsOf(bed: TestService, client: Client, scope: Scope): Actions {
  const { service } = bed;
  const actor = { scope, actor: 'a source' };
  return {
    ...{ client, scope },
    async decide(fields = {}) {
      const answer = await client.post('/decisions', decision(fields));
      return dataOf(answer, DecisionReceipt, 201).decision_id;
    },
    async link(decisionId, eventId, fields = {}) {
      const answer = await client.post('/links', link(decisionId, eventId, fields));
      return dataOf(answer, Link, 201).id;
    },
    async suggest(eventId, ...suggested) {
      const wanted = suggested.map(({ decisionId, strength }) => ({
        ...{ decisionId: uuidOf('dec', decisionId), strength, reviewPriority: 0.5 },
        ...({
          linkType: 'revenue',
          reversal: false,
          label: 'guessed',
          score: { ...SCORE },
        } as const),
      }));
      const one = { eventId: uuidOf('evt', eventId), suggested: wanted };
      await service.db.ledger(scope).write((tx) => writeSuggestions(tx, service.hooks, [one]));
      const query = `/links?financial_event_id=${eventId}&status=ML_SUGGESTED`;
      return dataOf(await client.get(query), LinkPage).links.map(({ id }) => id);
    },
    correct: (eventId, fields) =>
      service.db.ledger(actor.scope).write(async (tx) => {
        const from = uuidOf('evt', eventId);
        const body = { ...event(fields), metadata: {} };
        const next = await recordEventOf(tx, service.hooks, actor, body, { supersedes: from });
        await carryLinks(tx, service.hooks, actor, from, next.event_id);
        return uuidToId('evt', next.event_id);
      }),
    happen: (origin, fields = {}) =>
      service.db.ledger(actor.scope).write(async (tx) => {
        const made = await recordEventOf(
          tx,
          service.hooks,
          actor,
          { ...event(fields) },
          { origin },
        );
        return uuidToId('evt', made.event_id);
      }),
  };
}

/** Ids of a ledger in which every table of records has rows, with all their columns in use. */
export interface FullLedger extends Actions {
  readonly ids: Readonly<
    Record<'event' | 'superseded' | 'linked' | 'carried' | 'suggested', string>
  >;
}

/** A ledger with rows of every kind. */
export async function fullLedger(bed: TestService): Promise<FullLedger> {
  const { live } = await bed.organisation();
  const scope = await scopeOf(bed, live);
  const actions = actionsOf(bed, live, scope);
  const [one, two] = [
    await actions.decide({ outputs: { amount: '90.00', currency: 'USD' } }),
    await actions.decide(),
  ];
  const described = { description: 'a payment', external_id: 'ext-1', metadata: { customer: 'c' } };
  const superseded = await actions.happen('stripe:ch_1', described);
  await actions.link(one, superseded, { notes: 'made by hand', correlation_strength: 0.25 });
  const [toConfirm = ''] = await actions.suggest(superseded, { decisionId: two, strength: 0.5 });
  dataOf(await live.post(`/links/${toConfirm}/confirm`, {}), Link);
  const event = await actions.correct(superseded, { ...described, amount: '900.00' });
  const page = dataOf(await live.get(`/links?financial_event_id=${event}`), LinkPage);
  const carried = page.links.find(({ status }) => status === 'ML_INFERRED')?.id ?? '';
  const linked = page.links.find(({ status }) => status === 'CONFIRMED')?.id ?? '';
  const waiting = (await recordEvent(live, { amount: '70.00' })).id;
  const [suggested = ''] = await actions.suggest(waiting, { decisionId: one, strength: 0.5 });
  const gone = (await recordEvent(live)).id;
  await live.delete(`/financial-events/${gone}`);
  // Its confidence is the same for all decisions, so another one is weighed.
  await actions.decide({ confidence: 0.99, metadata: { confidence_source: 'fixed' } });
  const experiment = { id: 'refund-prompt', arm: 'b', propensity: 0.5 };
  const usage = { input_tokens: 900, cached_input_tokens: 300, output_tokens: 50 };
  await actions.decide({ metadata: { experiment, model: 'm-1', usage } });
  // No link moves money of it, so its earlier estimates follow from itself.
  await actions.decide({
    timestamp: '2026-04-01T00:00:00.000Z',
    outputs: { amount: '9000.00', currency: 'USD' },
  });
  await issueAndRevoke(live);
  await live.patch('/settings', { base_currency: 'USD' });
  await closeAndRestate(bed, actions);
  await followLogs(bed.service);
  await runNow(bed.service.db.ledger(scope), bed.service, () => undefined);
  await currentScoringModel(
    bed.service.db.ledger(scope),
    await readSettings(bed.service.db.ledger(scope)),
  );
  await make(bed, live, (await askFor(live)).export_id);
  await replaceSigningKey(bed.service, scope, 'operator');
  return { ...actions, ids: { event, superseded, linked, carried, suggested } };
}

async function issueAndRevoke(client: Client): Promise<void> {
  const expires_at = '2030-01-01T00:00:00.000Z';
  const body = { name: 'a key', permissions: ['read'], expires_at };
  const key = dataOf(await client.post('/keys', body), IssuedKey, 201);
  await client.delete(`/keys/${key.key_id}`);
  const opened = dataOf(await client.post('/sessions', { name: 'Ada' }), OpenedSession, 201);
  await client.delete(`/sessions/${opened.session_id}`);
}

async function closeAndRestate(bed: TestService, actions: Actions): Promise<void> {
  const close = () =>
    closeMonths(bed.service.db.ledger(actions.scope), new AbortController().signal);
  await actions.happen('stripe:old', { timestamp: '2026-01-10T00:00:00.000Z' });
  await close();
  await actions.happen('stripe:late', { timestamp: '2026-01-11T00:00:00.000Z' });
  bed.clock.advance(24 * 3_600_000);
  await close();
}
