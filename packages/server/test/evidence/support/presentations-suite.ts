import { DecisionPresentation } from '@decision-ledger/contract/decision-view';
import { Log } from '@decision-ledger/contract/transparency';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { readPresentation } from '@decision-ledger/proof/presentation/format';
import { verifyPresentation } from '@decision-ledger/verifier/presentation/verify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Client, dataOf, expectRefusal } from '../../support/client.js';
import { FULL, postErasure, REASON } from '../../support/erasures.js';
import { decide } from '../../support/estimates.js';
import { asOwner } from '../../support/owner.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { activityOf, CHAINS, round } from './log-tools.js';
import { checkByHand, lackOfTools } from './presentation-steps.js';

const lack = lackOfTools();
const byHand = (name: string, body: () => Promise<void>) =>
  lack === null ? it(name, body) : it.skip(`${name} (skipped: ${lack})`, body);

export function presentationsSuite(engine: Engine): void {
  let bed: TestService;
  let org: Organisation;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    org = await bed.organisation();
    client = org.live;
  });
  afterAll(() => bed.close());

  const ask = (id: string, fields: readonly string[]) =>
    client.post(`/decisions/${id}/presentation`, { fields });

  async function presented(id: string, fields: readonly string[]): Promise<string> {
    const made = dataOf(await ask(id, fields), DecisionPresentation);
    expect(made).toMatchObject({ decision_id: id, status: 'covered' });
    return made.presentation ?? '';
  }

  async function logKeys(): Promise<string[]> {
    const keys: string[] = [];
    for (const chain of CHAINS) {
      keys.push(dataOf(await client.get(`/log/${chain}`), Log).verifier_key);
    }
    return keys;
  }

  /** A decision in a log with others before and after it. */
  async function covered(): Promise<{ decision_id: string; hash: string }> {
    for (let at = 0; at < 4; at += 1) await decide(client);
    const receipt = await decide(client, FULL);
    for (let at = 0; at < 2; at += 1) await decide(client);
    await round(bed, client);
    return receipt;
  }

  describe('A presentation', () => {
    it('A presentation shows the chosen fields and proves them, and hides the others', async () => {
      const { decision_id, hash } = await covered();
      const text = await presented(decision_id, ['outputs', 'inputs']);
      expect(text).toContain('secret-inputs');
      expect(text).not.toContain('secret-metadata');
      expect(text).not.toContain('secret-alternatives');
      const report = await verifyPresentation(text, { logKeys: await logKeys() });
      expect(report.verdicts).toMatchObject({
        integrity: { verdict: 'pass', basis: 'self', findings: [] },
        authenticity: { verdict: 'pass', basis: 'key', findings: [] },
        time: { verdict: 'unproven' },
      });
      expect(report.decision).toMatchObject({ decision_id, hash });
      expect(report.fields).toEqual({
        inputs: 'disclosed',
        outputs: 'disclosed',
        alternatives: 'withheld',
        metadata: 'withheld',
      });
      expect(report.values).toEqual({ inputs: FULL.inputs, outputs: FULL.outputs });
    });

    it('A presentation without its values has at most 8 KB, in a log of a million records', async () => {
      const { decision_id } = await covered();
      for (const field of ['inputs', 'metadata'] as const) {
        await postErasure(client, decision_id, [field]);
      }
      await round(bed, client);
      const text = await presented(decision_id, ['inputs', 'outputs', 'metadata']);
      expect(readPresentation(text).erasures?.records.length).toBe(2);
      // Three paths of up to 20 hashes; those of the text are shorter.
      const hash = '        "gxFfiUeVX6/cKifn9MCFS72Nonuxs+NAXbVxya+Nvho=",\n'.length;
      const shown = JSON.stringify(JSON.stringify(FULL.outputs)).length;
      const paths = text.match(/^ *"[A-Za-z0-9+/]{43}="/gm)?.length ?? 0;
      expect(paths).toBeGreaterThan(6);
      expect(Buffer.byteLength(text) - shown + (60 - paths) * hash).toBeLessThan(8192);
    });

    it('A presentation is pending, and not recorded, until a checkpoint covers the decision', async () => {
      const { decision_id, hash, seq } = await decide(client, FULL);
      const pending = dataOf(await ask(decision_id, ['inputs']), DecisionPresentation, 202);
      expect(pending).toEqual({
        ...{ decision_id, hash, seq },
        ...{ status: 'pending', presentation: null },
      });
      expect(await activityOf(client, 'presentation.made')).toEqual([]);
      await round(bed, client);
      await presented(decision_id, ['inputs']);
    });

    it('A presentation is recorded with its fields and its hash', async () => {
      const { decision_id } = await covered();
      const text = await presented(decision_id, ['metadata', 'inputs']);
      const [made] = await activityOf(client, 'presentation.made');
      expect(made).toMatchObject({
        subject: decision_id,
        actor: expect.stringMatching(/^key_/),
        data: { fields: ['inputs', 'metadata'], sha256: sha256Hex(text) },
      });
    });

    it('A presentation of no field shows the entry alone', async () => {
      const { decision_id } = await covered();
      const text = await presented(decision_id, []);
      expect(text).not.toContain('secret');
      const { verdicts } = await verifyPresentation(text);
      expect(verdicts.integrity.verdict).toBe('pass');
      expect(verdicts.authenticity).toMatchObject({ verdict: 'unproven', basis: 'self' });
    });

    it('An erased field is shown by the record of its erasure, once a checkpoint covers that', async () => {
      const { decision_id } = await covered();
      await postErasure(client, decision_id, ['outputs']);
      dataOf(await ask(decision_id, ['inputs', 'outputs']), DecisionPresentation, 202);
      await round(bed, client);
      const text = await presented(decision_id, ['inputs', 'outputs']);
      expect(text).toContain(REASON);
      expect(text).not.toContain('secret-outputs');
      const report = await verifyPresentation(text, { logKeys: await logKeys() });
      expect(report.verdicts.integrity).toMatchObject({ verdict: 'pass', findings: [] });
      expect(report.verdicts.authenticity.verdict).toBe('pass');
      expect(report.fields).toMatchObject({ inputs: 'disclosed', outputs: 'erased' });
      const unpinned = await verifyPresentation(text, { logKeys: (await logKeys()).slice(0, 1) });
      expect(unpinned.verdicts.authenticity.verdict).toBe('unproven');
    });

    it('A field that was never recorded is refused by name', async () => {
      const { decision_id } = await decide(client, { inputs: { a: 1 }, metadata: undefined });
      await round(bed, client);
      expectRefusal(
        await ask(decision_id, ['inputs', 'metadata']),
        'validation_error',
        'fields[1]',
      );
      expectRefusal(await ask(decision_id, ['other']), 'validation_error', 'fields[0]');
    });

    it('A field that is gone without a recorded erasure is not presented', async () => {
      const { decision_id } = await covered();
      await asOwner(bed, "update decisions set inputs = null where inputs like '%secret-inputs%'");
      expectRefusal(await ask(decision_id, ['inputs']), 'conflict');
      await presented(decision_id, ['outputs']);
    });
  });

  describe('The steps of the documentation', () => {
    byHand('Two of four fields are checked with openssl and sha256sum alone', async () => {
      const { decision_id, hash } = await covered();
      const printed = checkByHand(await presented(decision_id, ['inputs', 'metadata']));
      expect(printed).toContain('inputs: the same\n');
      expect(printed).toContain('metadata: the same\n');
      expect(printed).toContain(hash);
      expect(printed).toContain('root: the same\n');
      expect(printed).toContain('Signature Verified Successfully');
      expect(printed).not.toMatch(/outputs: |DIFFERENT|erasure: /);
    });

    byHand('The same is checked after one of the fields was erased', async () => {
      const { decision_id } = await covered();
      await postErasure(client, decision_id, ['metadata']);
      await round(bed, client);
      const printed = checkByHand(await presented(decision_id, ['inputs', 'metadata']));
      for (const name of ['inputs', 'erasure', 'root', 'root of the activity']) {
        expect(printed).toContain(`${name}: the same\n`);
      }
      expect(printed.match(/Signature Verified Successfully/g)?.length).toBe(2);
      expect(printed).not.toMatch(/metadata: |DIFFERENT/);
    });

    byHand('The steps find a changed value, a changed path and a changed tree', async () => {
      const { decision_id } = await covered();
      const text = await presented(decision_id, ['inputs']);
      const value = checkByHand(text.replace('secret-inputs', 'other-inputs'));
      expect(value).toContain('inputs: DIFFERENT');
      const entry = checkByHand(text.replace('refund', 'refuse').replace('agent', 'agemt'));
      expect(entry).toContain('root: DIFFERENT');
      const tree = checkByHand(text.replace(/\\n7\\n/, '\\n8\\n'));
      expect(tree).toContain('Signature Verification Failure');
    });
  });
}
