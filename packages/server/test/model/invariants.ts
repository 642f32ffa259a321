import { KeyPage } from '@decision-ledger/contract/access';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { DecisionPresentation } from '@decision-ledger/contract/decision-view';
import { LinkPage } from '@decision-ledger/contract/link';
import { DecisionProof, Log } from '@decision-ledger/contract/transparency';
import { verifyPresentation } from '@decision-ledger/verifier/presentation/verify';
import { expect } from 'vitest';
import { round } from '../evidence/support/log-tools.js';
import { type Client, dataOf } from '../support/client.js';
import { eventsOf } from '../support/webhooks.js';
import { workOff } from './background.js';
import { expectBooks } from './books.js';
import { expectBundles } from './bundles.js';
import type { Ledger } from './ledger.js';
import { pagesOf } from './pages.js';
import { expectParts } from './parts.js';
import { expectFollowed, mend } from './poison.js';
import { expectReads } from './reads.js';
import { expectAnswers } from './reviews.js';
import type { World } from './world.js';

/** What holds after every sequence, in each of its ledgers. */
export async function expectInvariants(world: World): Promise<void> {
  await world.begin(world.ledgers);
  await mend(world);
  await workOff(world);
  await expectFollowed(world);
  const owners = new Map<string, string>();
  for (const ledger of world.ledgers) {
    const client = world.client(ledger);
    await expectRecords(client, ledger);
    await expectLinks(client, ledger);
    await expectKeys(client, ledger);
    await expectAnswers(client, ledger);
    await expectBooks(client);
    await expectParts(client);
    await expectPresentable(world, client, ledger);
    await expectBundles(world, ledger);
    await expectReads(world, ledger, owners);
  }
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

/** Decisions that are presented and proven of each ledger: each costs a walk through the log. */
const PRESENTED = 2;

async function expectPresentable(world: World, client: Client, { decisions }: Ledger) {
  if (decisions.size === 0) return;
  await round(world.bed.instance, client);
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
