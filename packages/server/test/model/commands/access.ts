import { IssuedKey, OpenedSession } from '@decision-ledger/contract/access';
import { PERMISSIONS, type Permission } from '@decision-ledger/contract/permissions';
import { Settings } from '@decision-ledger/contract/settings';
import { expect } from 'vitest';
import { dataOf } from '../../support/client.js';
import { SIGNING_SECRET } from '../../support/webhooks.js';
import type { Call } from '../call.js';
import type { Caller } from '../ledger.js';

const HOUR = 3_600_000;

const nonEmpty = (permissions: readonly Permission[]): readonly Permission[] =>
  permissions.length === 0 ? ['read'] : permissions;

export async function issueKey(call: Call): Promise<void> {
  const permissions = nonEmpty(PERMISSIONS.filter(() => call.chance(0.4)));
  const expiresAt = call.chance(0.3) ? call.world.bed.clock.now() + 5 * HOUR : null;
  const body = {
    ...{ name: `a key ${call.below(1e6)}`, permissions },
    ...(expiresAt !== null && { expires_at: new Date(expiresAt).toISOString() }),
  };
  const answer = await call.once('issueKey', 'admin', { body });
  if (answer === null || !call.may('admin')) return;
  if (permissions.some((name) => !call.may(name))) {
    expect(answer.status, answer.text).toBe(403);
    return;
  }
  const issued = dataOf(answer, IssuedKey, 201);
  call.ledger.callers.push({
    ...{ id: issued.key_id, headers: { 'x-ledger-key': issued.key }, expiresAt },
    ...{ permissions: new Set(permissions), actor: issued.key_id, parent: null, isRevoked: false },
  });
}

/** Callers of one kind, without the key that a sequence needs to its end. */
const idsOf = (callers: readonly Caller[], prefix: string) =>
  callers.flatMap(({ id }, place) => (place > 0 && id.startsWith(prefix) ? [id] : []));

export async function revokeKey(call: Call): Promise<void> {
  const id = call.pickId(({ callers }) => idsOf(callers, 'key_'), 'key');
  const mayRevoke = call.may('admin');
  const answer = await call.send('revokeKey', 'admin', { path: { id } });
  if (!mayRevoke) return;
  const known = call.ledger.callers.find((caller) => caller.id === id);
  expect(answer.status, answer.text).toBe(known === undefined ? 404 : 200);
  if (known !== undefined) known.isRevoked = true;
}

export async function openSession(call: Call): Promise<void> {
  const name = call.choose('Ada', 'Bo');
  const answer = await call.send('openSession', null, { body: { name } });
  if (answer.status !== 201) return;
  const { session_id, token, permissions, expires_at } = dataOf(answer, OpenedSession, 201);
  call.ledger.callers.push({
    ...{ id: session_id, headers: { authorization: `Bearer ${token}` }, isRevoked: false },
    ...{ permissions: new Set(permissions), expiresAt: Date.parse(expires_at) },
    ...{ actor: `${name} (${session_id})`, parent: call.caller },
  });
}

export async function revokeSession(call: Call): Promise<void> {
  const id = call.pickId(({ callers }) => idsOf(callers, 'ses_'), 'ses');
  const answer = await call.send('revokeSession', null, { path: { id } });
  const known = call.ledger.callers.find((caller) => caller.id === id);
  if (answer.status === 200 && known !== undefined) known.isRevoked = true;
}

/** Changes of the settings, of which each is valid on its own. */
const patches = (call: Call) => [
  { attribution: { unsigned_sources: call.chance(0.5) ? ['billing'] : [] } },
  { attribution: { profiles: profilesOf(call) } },
  { base_currency: call.choose('USD', 'EUR') },
  { exchange_rates: ratesOf(call) },
  { analytics: { close_after_days: 1 + call.below(20) } },
  { recording: { max_lateness_seconds: call.choose(null, 30 * 86_400) } },
  { otlp: { preset: 'gen_ai_1.45' } },
  { stripe: { signing_secrets: [SIGNING_SECRET] } },
  { accounting: [{ id: 'books', kind: 'hledger', url: 'http://127.0.0.1:9/' }] },
  { alerts: { url: 'http://127.0.0.1:9/alerts', secret: `whsec_${'A'.repeat(32)}` } },
  { liability: { outcomes: { values: outcomesOf(call) } } },
];

/** What the outputs of some decisions say about their outcome. */
function outcomesOf(call: Call) {
  const outcome = call.choose('denied', 'failed', 'done');
  return call.chance(0.3) ? [] : [{ outcome, paths: ['outputs.done'], values: [true] }];
}

const SOURCES = ['billing', 'shop', 'accounting/*'] as const;

/** What events of a source mean, and how they are compared with others. */
function profilesOf(call: Call) {
  const source = call.choose(...SOURCES);
  const kind = call.choose('sale', 'transfer');
  const state = call.choose('moved', 'moved', 'planned', 'void');
  const profile = {
    ...{ name: 'Profile', source },
    ...(call.chance(0.5) && { kinds: [{ event_types: ['*'], kind, state }] }),
    ...(call.chance(0.5) && { repeats: [call.choose(...SOURCES), call.choose(...SOURCES)] }),
    ...(call.chance(0.3) && { references: [call.choose('external_id', 'metadata.order')] }),
    ...(call.chance(0.3) && { clock: { time_zone: '+05:30', whole_days: call.chance(0.5) } }),
  };
  return call.chance(0.3) ? [] : [profile];
}

const ratesOf = (call: Call) =>
  ['EUR', 'JPY'].map((from) => ({
    ...{ from, to: 'USD', date: '2025-01-01' },
    rate: (1 + call.below(9999) / 10_000).toFixed(4),
  }));

export async function changeSettings(call: Call): Promise<void> {
  const isValid = call.chance(0.85);
  const patch = call.pick(patches(call)) ?? {};
  const body = isValid ? patch : { ...patch, nobody_knows: true };
  const isTried = call.chance(0.2);
  const before = await call.world.heads();
  const query = isTried ? '?dry_run=true' : '';
  const answer = await call.send('changeSettings', 'admin', { body, query });
  if (isTried) expect(await call.world.heads(), 'a dry run changed a ledger').toEqual(before);
  if (!call.may('admin')) return;
  expect(answer.status, answer.text).toBe(isValid ? 200 : 422);
  if (!isValid || isTried) return;
  const { stripe, otlp, recording } = dataOf(answer, Settings);
  Object.assign(call.ledger.isSet, {
    stripe: stripe.signing_secrets.length > 0,
    traces: otlp.preset !== 'none',
    lateness: recording.max_lateness_seconds !== null,
  });
}

export async function issueStreamTicket(call: Call): Promise<void> {
  const answer = await call.send('issueStreamTicket', 'stream');
  if (call.may('stream')) expect(answer.status, answer.text).toBe(201);
}
