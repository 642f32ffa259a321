import { DecisionPage } from '@decision-ledger/contract/decision';
import { Export } from '@decision-ledger/contract/export';
import { EXPORT_TYPES } from '@decision-ledger/proof/bundle/format';
import { expect } from 'vitest';
import { type Client, dataOf } from '../support/client.js';
import {
  askFor,
  check,
  type Downloaded,
  download,
  type ExportFields,
  jsonOf,
  make,
} from '../support/exports.js';
import { workTools } from './background.js';
import { RandomChoices } from './choices.js';
import { drawFilter, queryOf } from './filters.js';
import type { Ledger } from './ledger.js';
import type { World } from './world.js';

/** A bundle of every type can be made and verifies, and so does what was requested before. */
export async function expectBundles(world: World, ledger: Ledger): Promise<void> {
  const making = { world, ledger, client: world.client(ledger), tools: toolsOfBundles(world) };
  await expectRequested(making);
  const [first] = [...ledger.decisions.values()];
  for (const export_type of EXPORT_TYPES) {
    if (export_type !== 'statement') await verified(making, { export_type });
    else if (first !== undefined) await verified(making, { export_type, agent_id: first.agent });
  }
  await expectFiltered(making);
}

interface Making {
  readonly world: World;
  readonly ledger: Ledger;
  readonly client: Client;
  readonly tools: ReturnType<typeof workTools>;
}

/** Compares the tables once for all bundles of a ledger. The reads that follow compare them again. */
function toolsOfBundles({ bed }: World): Making['tools'] {
  const tools = workTools(bed);
  let compared: ReturnType<typeof tools.reconcile> | undefined;
  return {
    ...tools,
    reconcile(scope) {
      compared ??= tools.reconcile(scope);
      return compared;
    },
  };
}

/** A filtered bundle shows the decisions that the list finds. */
async function expectFiltered(making: Making): Promise<void> {
  const { client, ledger } = making;
  const filter = drawFilter(new RandomChoices(1 + ledger.decisions.size + ledger.events.size));
  const bundle = await verified(making, { filter });
  const shown = jsonOf<{ decision_id: string }[]>(bundle, 'decisions.json');
  const answer = await client.get(`/decisions?${queryOf(filter)}`);
  const { decisions } = dataOf(answer, DecisionPage);
  const ids = (all: readonly { readonly decision_id: string }[]) =>
    all.map(({ decision_id }) => decision_id).sort();
  expect(ids(shown), `what ${JSON.stringify(filter)} shows of ${ledger.name}`).toEqual(
    ids(decisions),
  );
}

async function verified(
  { world, ledger, client, tools }: Making,
  fields: ExportFields,
): Promise<Downloaded> {
  const { instance } = world.bed;
  const { export_id } = await askFor(client, fields);
  await make(instance, client, export_id, tools);
  const bundle = await download(instance, client, export_id);
  await expectVerified(bundle, `${JSON.stringify(fields)} of ${ledger.name}`);
  return bundle;
}

async function expectVerified(bundle: Downloaded, what: string): Promise<void> {
  const { verdicts } = await check(bundle);
  for (const [verdict, { verdict: outcome, findings }] of Object.entries(verdicts)) {
    expect(outcome, `${verdict} of ${what}: ${JSON.stringify(findings)}`).not.toBe('fail');
  }
  expect(verdicts.integrity.verdict, `integrity of ${what}`).toBe('pass');
}

/** An export that waited for a day without a worker fails, which is no fault. */
const STALLED = /not completed within a day/;

/** What was requested is made, unless nobody made it in time, and verifies until it expires. */
async function expectRequested({ world, ledger, client }: Making): Promise<void> {
  for (const id of ledger.exports) {
    const answer = await client.get(`/exports/${id}`);
    const { status, reason = '' } = dataOf(answer, Export);
    if (status === 'failed') expect(reason).toMatch(STALLED);
    else expect(['complete', 'expired'], answer.text).toContain(status);
    if (status !== 'complete') continue;
    const bundle = await download(world.bed.instance, client, id);
    await expectVerified(bundle, `${id} of ${ledger.name}`);
  }
}
