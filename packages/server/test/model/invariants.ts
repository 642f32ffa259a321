import {
  ActivityChainVerification,
  DecisionChainVerification,
} from '@decision-ledger/contract/chain';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { KeyPage } from '@decision-ledger/contract/key';
import { LinkPage } from '@decision-ledger/contract/link';
import { DecisionPresentation } from '@decision-ledger/contract/presentation';
import { DecisionProof, Log } from '@decision-ledger/contract/transparency';
import { EXPORT_TYPES, type ExportType } from '@decision-ledger/proof/bundle/format';
import { verifyPresentation } from '@decision-ledger/verifier/presentation/verify';
import type { Static, TSchema } from 'typebox';
import { expect } from 'vitest';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { round } from '../evidence/support/log-tools.js';
import { type Client, dataOf } from '../support/client.js';
import { askFor, check, download, make } from '../support/exports.js';
import { eventsOf } from '../support/webhooks.js';
import { workOff } from './background.js';
import { expectBooks } from './books.js';
import type { Ledger } from './ledger.js';
import type { World } from './world.js';

/** What holds after every sequence, in each of its ledgers. */
export async function expectInvariants(world: World): Promise<void> {
  await workOff(world);
  for (const [place, ledger] of world.ledgers.entries()) {
    const client = world.instance.client(ledger.root.headers['x-ledger-key']);
    await expectRecords(client, ledger);
    await expectLinks(client, ledger);
    await expectKeys(client, ledger);
    await expectBooks(client);
    await expectReconciled(world, client, ledger);
    await expectPresentable(world, client, ledger);
    // Most commands are about the first ledger. Of each other one, a type is made in turn.
    const turn = EXPORT_TYPES[ledger.decisions.size % EXPORT_TYPES.length];
    const types = EXPORT_TYPES.filter((type) => place === 0 || type === turn);
    await expectBundles(world, client, ledger, types);
  }
}

/** All pages of a list. */
async function pagesOf<Schema extends TSchema>(
  client: Client,
  path: string,
  schema: Schema,
  next: (page: Static<Schema>) => string | null,
): Promise<Static<Schema>[]> {
  const pages: Static<Schema>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = dataOf(await client.get(`${path}limit=500${more}`), schema);
    pages.push(page);
    cursor = next(page);
  }
  return pages;
}

async function expectRecords(client: Client, ledger: Ledger): Promise<void> {
  const pages = await pagesOf(client, '/decisions?', DecisionPage, (page) => page.next_cursor);
  const decisions = pages.flatMap((page) => page.decisions);
  const listed = new Map(decisions.map((one) => [one.decision_id, one]));
  expect(listed.size, `decisions of ${ledger.name}`).toBe(ledger.decisions.size + ledger.traced);
  for (const [id, { agent, erased }] of ledger.decisions) {
    const decision = listed.get(id);
    expect(decision, id).toMatchObject({ agent_id: agent });
    expect([...(decision?.erased_fields ?? [])].sort(), id).toEqual([...erased].sort());
  }
  const live = (await eventsOf(client)).filter(({ source }) => source !== 'stripe');
  const known = [...ledger.events].flatMap(([id, { isDeleted }]) => (isDeleted ? [] : [id]));
  expect(live.map(({ id }) => id).sort(), `events of ${ledger.name}`).toEqual(known.sort());
}

async function expectLinks(client: Client, { links, name }: Ledger): Promise<void> {
  const path = '/links?include_deleted=true&';
  const pages = await pagesOf(client, path, LinkPage, (page) => page.next_cursor);
  const listed = new Map(
    pages.flatMap((page) => page.links.map((link) => [link.id, link] as const)),
  );
  for (const [id, { status, isDeleted }] of links) {
    const link = listed.get(id);
    const found = { status: link?.status, isDeleted: link?.deleted_at !== null };
    expect(found, `${id} of ${name}`).toEqual({ status, isDeleted });
  }
}

async function expectKeys(client: Client, { callers }: Ledger): Promise<void> {
  const pages = await pagesOf(client, '/keys?', KeyPage, (page) => page.next_cursor);
  const keys = pages.flatMap((page) => page.keys);
  const listed = keys.map((key) => [key.key_id, key.revoked_at !== null] as const).sort();
  const known = callers.flatMap(({ id, isRevoked }) =>
    id.startsWith('key_') ? [[id, isRevoked] as const] : [],
  );
  expect(listed).toEqual(known.sort());
}

async function expectReconciled(world: World, client: Client, { scope, name }: Ledger) {
  const { findings } = await reconcileWithHistory(world.instance.service.db, scope);
  expect(findings, name).toEqual([]);
  const decisions = await client.get('/decisions/chain/verify');
  expect(dataOf(decisions, DecisionChainVerification)).toMatchObject({ is_valid: true });
  const activity = await client.get('/activity/chain/verify');
  expect(dataOf(activity, ActivityChainVerification)).toMatchObject({ is_valid: true });
}

/** Decisions that are presented and proven of each ledger: each costs a walk through the log. */
const PRESENTED = 2;

async function expectPresentable(world: World, client: Client, { decisions }: Ledger) {
  if (decisions.size === 0) return;
  await round(world.instance, client);
  const logKeys: string[] = [];
  for (const chain of ['decisions', 'activity']) {
    logKeys.push(dataOf(await client.get(`/log/${chain}`), Log).verifier_key);
  }
  for (const [id, { fields, erased }] of [...decisions].slice(-PRESENTED)) {
    const proof = dataOf(await client.get(`/decisions/${id}/proof`), DecisionProof);
    expect(proof.status).toBe('covered');
    const answer = await client.post(`/decisions/${id}/presentation`, { fields: [...fields] });
    const { presentation } = dataOf(answer, DecisionPresentation);
    const report = await verifyPresentation(presentation ?? '', { logKeys });
    expect(report.verdicts.integrity, id).toMatchObject({ verdict: 'pass', findings: [] });
    expect(report.verdicts.authenticity, id).toMatchObject({ verdict: 'pass' });
    const shown = Object.entries(report.fields ?? {}).filter(([, state]) => state === 'erased');
    expect(shown.map(([field]) => field).sort(), id).toEqual([...erased].sort());
  }
}

async function expectBundles(
  world: World,
  client: Client,
  { decisions, name }: Ledger,
  types: readonly ExportType[],
): Promise<void> {
  const [first] = [...decisions.values()];
  for (const export_type of types) {
    const isStatement = export_type === 'statement';
    if (isStatement && first === undefined) continue;
    const agent = isStatement && first !== undefined ? { agent_id: first.agent } : {};
    const { export_id } = await askFor(client, { export_type, ...agent });
    await make(world.instance, client, export_id, world.thread);
    const bundle = await download(world.instance, client, export_id);
    const { verdicts } = await check(bundle);
    for (const [verdict, { verdict: outcome, findings }] of Object.entries(verdicts)) {
      expect(
        outcome,
        `${verdict} of a ${export_type} of ${name}: ${JSON.stringify(findings)}`,
      ).not.toBe('fail');
    }
    expect(verdicts.integrity.verdict, `integrity of a ${export_type}`).toBe('pass');
  }
}
