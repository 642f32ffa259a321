import { createHmac } from 'node:crypto';
import { DecisionBatchReceipt } from '@decision-ledger/contract/decision';
import { Link } from '@decision-ledger/contract/link';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { VerifiedRun } from '#server/domains/evidence/exports/export-run';
import { insurance } from '#server/domains/evidence/exports/kinds/insurance';
import { INSURANCE_METHOD } from '#server/domains/evidence/exports/rules/insurance';
import { uuidToId } from '#server/platform/ids';
import { dataOf, decision } from '../../support/client.js';
import { link, recordEvent } from '../../support/money.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { drain, drainBrokenOff, verifiedRun, within } from './drain.js';

const DAY = '2026-04-10T12:00:00.000Z';
const RANGE = { start: Date.UTC(2026, 3, 10), end: Date.UTC(2026, 3, 11) };

/** Decisions with texts that must not appear in the output. */
const marked = (action_type: string, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, at) =>
    decision({
      action_type,
      agent_id: `mark-agent-${at}`,
      inputs: { 'mark-key': `mark-input ${at}`, nested: [{ deep: 'mark-deep' }] },
      outputs: { amount: '250.00', text: 'mark-output' },
      alternatives: [{ text: 'mark-alternative' }],
      metadata: {
        customer_id: `mark-customer-${at}`,
        ...(at % 2 === 0 && { reviewer_id: 'mark-r' }),
      },
      timestamp: DAY,
      confidence: (at % 10) / 10,
      ...fields,
    }),
  );

const HIDDEN_COUNT = { count: null, share: null, suppressed: true };

export function insuranceSuite(engine: Engine): void {
  let bed: TestService;
  let org: Organisation;
  let run: VerifiedRun;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  afterAll(() => bed.close());
  beforeEach(async () => {
    org = await bed.organisation();
    run = await verifiedRun(bed, org.live, RANGE);
  });

  async function record(decisions: readonly object[]): Promise<string[]> {
    const ids: string[] = [];
    for (let at = 0; at < decisions.length; at += 100) {
      const body = { decisions: decisions.slice(at, at + 100) };
      const answer = await org.live.post('/decisions/batch', body);
      const receipt = dataOf(answer, DecisionBatchReceipt, 201);
      ids.push(...receipt.decisions.map(({ decision_id }) => decision_id));
    }
    return ids;
  }

  async function lose(
    decisionId: string,
    amount: string,
    fields: object = {},
    reversal = false,
  ): Promise<string> {
    const { id } = await recordEvent(org.live, {
      ...{ amount, timestamp: DAY, external_id: 'mark-external', description: 'mark-text' },
      ...{ metadata: { order: 'mark-order' }, source: 'mark-source', event_type: 'mark-type' },
      ...fields,
    });
    const strength = { correlation_strength: 1, link_type: 'loss', reversal, notes: 'mark-note' };
    const answer = await org.live.post('/links', link(decisionId, id, strength));
    return dataOf(answer, Link, 201).id;
  }

  const part = (of: VerifiedRun) => insurance.files['insurance.json'].make(of);
  const read = async (of = run) => JSON.parse(await drain(part(of)));

  describe('insurance.json', () => {
    it('`insurance.json` sums up decisions, oversight, confidence, losses and exposure by action type', async () => {
      const refunds = await record(marked('refund', 20));
      await record(marked('credit', 30, { metadata: {}, human_in_loop: true }));
      await record(marked('refund', 3, { timestamp: '2026-04-11T00:00:00.000Z' }));
      for (const [at, id] of refunds.slice(0, 6).entries()) await lose(id, `-${at + 1}00.50`);
      const { totals, action_types, base_currency, period } = await read();
      expect(period).toEqual({
        start: '2026-04-10T00:00:00.000Z',
        end: '2026-04-11T00:00:00.000Z',
      });
      expect(base_currency).toBe('USD');
      const [credit, refund] = action_types;
      expect(credit).toMatchObject({
        ...{ action_type: 'credit', decisions: 30 },
        human_oversight: { count: 30, share: 1, suppressed: false },
        losses: { count: 0, share: 0, suppressed: false },
        severity: { sum: '0.00', mean: null, max: null },
      });
      expect(credit.confidence).toEqual(
        [
          { from: 0, to: 0.2, count: 6 },
          ...[0.2, 0.4, 0.6, 0.8].map((from) => ({ from, to: from + 0.2, count: 6 })),
        ].map(({ to, ...bin }) => ({ ...bin, to: Number(to.toFixed(1)) })),
      );
      expect(refund).toMatchObject({
        ...{ action_type: 'refund', decisions: 20 },
        human_oversight: { count: 10, share: 0.5 },
        losses: { count: 6, share: 0.3 },
        severity: {
          ...{ sum: '2103.00', mean: '350.50', median: '300', p95: '600', max: '600' },
          buckets: [
            { from: 0, to: 100, count: 0 },
            { from: 100, to: 1000, count: 6 },
            { from: 1000, to: 10_000, count: 0 },
            { from: 10_000, to: 100_000, count: 0 },
            { from: 100_000, to: 1_000_000, count: 0 },
            { from: 1_000_000, to: null, count: 0 },
          ],
        },
      });
      expect(totals).toMatchObject({
        decisions: 50,
        human_oversight: { count: 40, share: 0.8 },
        losses: { count: 6, share: 0.12 },
        severity: { sum: '2103.00' },
      });
      const cents = (text: string) => Math.round(Number(text) * 100);
      expect(cents(totals.exposure)).toBeGreaterThan(0);
      const parts = cents(credit.exposure) + cents(refund.exposure);
      expect(Math.abs(cents(totals.exposure) - parts)).toBeLessThanOrEqual(1);
    });

    it('`insurance.json` holds no text of a decision or event, and only keyed hashes as ids', async () => {
      const ids = await record([
        ...marked('refund', 12),
        ...marked('mark-rare', 2),
        ...marked('mark someone', 30),
        ...marked('mark@example.com', 30),
      ]);
      const losers = ids.slice(0, 7);
      for (const [at, id] of losers.entries()) await lose(id, `-1${at}00.00`);
      const document = await read();
      expect(JSON.stringify(document)).not.toMatch(/mark|(dec|evt|lnk|org|led|act)_|agent-/);
      const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
      const secret = hmac(run.keyring.kept('insurance names'), uuidToId('exp', run.row.export_id));
      const name = (id: string) => hmac(secret, id).toString('hex');
      expect(document.largest_losses).toEqual(
        losers.map((id, at) => ({ decision: name(id), loss: `1${at}00` })).reverse(),
      );
      const allowed = [
        /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/,
        /^(USD|refund|other|decision-ledger\/insurance\/v1)$/,
        /^\d+(\.\d{2})?$/,
        /^[0-9a-f]{64}$/,
      ];
      const { method, ...rest } = document;
      expect(method).toEqual(INSURANCE_METHOD);
      for (const text of textsIn(rest)) {
        expect(
          allowed.some((pattern) => pattern.test(text)),
          text,
        ).toBe(true);
      }
      const { row } = await verifiedRun(bed, org.live, RANGE);
      const other = await read({ ...run, row });
      expect(other.largest_losses[0].decision).not.toBe(document.largest_losses[0].decision);
      expect(other.totals).toEqual(document.totals);
    });

    it('`insurance.json` holds no text of arbitrary decisions', async () => {
      // Long enough not to occur by chance.
      const text = fc.string({ unit: 'grapheme', minLength: 9, maxLength: 30 });
      const object = fc.dictionary(text, fc.oneof(text, fc.array(text, { maxLength: 2 })), {
        maxKeys: 3,
      });
      const one = fc.record({
        agent_id: text,
        action_type: fc.oneof(text, fc.emailAddress(), fc.constant('refund')),
        inputs: object,
        outputs: object,
        metadata: object,
        alternatives: fc.array(object, { maxLength: 2 }),
      });
      const lists = fc.array(one, { minLength: 5, maxLength: 12 });
      const allowed = JSON.stringify(await read());
      await fc.assert(
        fc.asyncProperty(lists, async (list) => {
          const bodies = list.map((fields) => decision({ ...fields, timestamp: DAY }));
          const answer = await org.live.post('/decisions/batch', { decisions: bodies });
          // JSON that cannot be kept is refused as a whole.
          fc.pre(answer.status === 201);
          const document = JSON.stringify(await read());
          for (const sent of list.flatMap((fields) => [...textsIn(fields), ...namesOf(fields)])) {
            if (sent === 'refund' || allowed.includes(sent)) continue;
            expect(document.includes(JSON.stringify(sent).slice(1, -1)), sent).toBe(false);
          }
        }),
        { numRuns: 25 },
      );
    });

    it('`insurance.json` hides small numbers of losses and what would reveal them', async () => {
      const small = await record(marked('refund', 10));
      const large = await record(marked('credit', 40));
      for (const id of small.slice(0, 2)) await lose(id, '-77.00');
      const before = await read();
      expect(before.action_types.map((row: { losses: object }) => row.losses)).toEqual([
        { count: null, share: null, suppressed: true },
        { count: null, share: null, suppressed: true },
      ]);
      expect(before.totals.losses).toEqual({ count: null, share: null, suppressed: true });
      expect(before.totals.severity).toEqual({ suppressed: true });
      expect(before.largest_losses).toEqual({ suppressed: true });
      expect(JSON.stringify(before)).not.toMatch(/"(77|154)/);
      for (const id of large.slice(0, 9)) await lose(id, '-50.00');
      const after = await read();
      expect(after.totals.losses).toMatchObject({ count: 11, suppressed: false });
      expect(
        after.action_types.map((row: { losses: { count: unknown } }) => row.losses.count),
      ).toEqual([null, null]);
    });

    it('`insurance.json` does not show a loss as exposure if nothing more is expected', async () => {
      const timestamp = '2020-04-10T12:00:00.000Z';
      const range = { start: Date.UTC(2020, 3, 10), end: Date.UTC(2020, 3, 11) };
      const [lost = ''] = await record(marked('refund', 10, { timestamp }));
      const before = await read(within(run, range));
      await lose(lost, '-77.31', { timestamp });
      const { totals, action_types } = await read(within(run, range));
      expect({ totals, action_types }).toEqual({
        totals: { ...before.totals, losses: HIDDEN_COUNT, severity: { suppressed: true } },
        action_types: [
          { ...before.action_types[0], losses: HIDDEN_COUNT, severity: { suppressed: true } },
        ],
      });
      expect(totals.exposure).toBe('0.00');
    });

    it('`insurance.json` counts a decision from centuries ago once and ends at its bound', async () => {
      const timestamp = '1710-06-01T12:00:00.127Z';
      await record(marked('refund', 6, { timestamp }));
      const range = { start: Date.parse(timestamp), end: Date.parse(timestamp) + 1 };
      const signal = AbortSignal.timeout(120_000);
      expect((await read({ ...within(run, range), signal })).totals.decisions).toBe(6);
      const stopped = AbortSignal.abort(new Error('asked to stop'));
      await expect(read({ ...within(run, range), signal: stopped })).rejects.toThrow(
        'asked to stop',
      );
    });

    it('`insurance.json` counts a loss with a confirmed link once per decision, net of recoveries', async () => {
      const ids = await record(marked('refund', 12));
      const [first = '', second = '', third = ''] = ids;
      for (const id of ids.slice(0, 8)) await lose(id, '-10.00');
      await lose(first, '-5.00');
      await lose(second, '10.00', { event_type: 'chargeback_reversal' }, true);
      const gone = await lose(third, '-900.00');
      expect((await org.live.delete(`/links/${gone}`)).status).toBe(200);
      const { totals } = await read();
      expect(totals.losses.count).toBe(7);
      expect(totals.severity).toMatchObject({ sum: '75.00', max: '15' });
    });

    it('`insurance.json` converts by dated rates and reports amounts without a rate', async () => {
      const ids = await record(marked('refund', 12));
      for (const id of ids.slice(0, 6)) await lose(id, '-100.00', { currency: 'EUR' });
      expect((await read()).totals).toMatchObject({
        losses: { count: 6 },
        severity: { has_unconverted_losses: true },
      });
      const rate = (date: string, rate: string) => ({ from: 'EUR', to: 'USD', date, rate });
      const exchange_rates = [rate('2026-04-01', '1.5'), rate('2026-04-11', '9')];
      expect((await org.live.patch('/settings', { exchange_rates })).status).toBe(200);
      expect((await read()).totals).toMatchObject({
        losses: { count: 6 },
        severity: { sum: '900.00', mean: '150.00' },
      });
    });

    it('`insurance.json` is a valid document for few decisions or none', async () => {
      expect((await read()).totals).toMatchObject({ decisions: 0, losses: { count: 0 } });
      await record(marked('refund', 4));
      expect(await read()).toMatchObject({
        totals: { decisions: null, suppressed: true },
        action_types: [],
      });
    });

    it('`insurance.json` ends with the last decision of the bundle and covers one ledger', async () => {
      await record(marked('refund', 12));
      await org.test.post('/decisions/batch', { decisions: marked('refund', 5) });
      expect((await read(within(run, { lastSeq: 7 }))).totals.decisions).toBe(7);
      expect((await read()).totals.decisions).toBe(12);
    });

    it('`insurance.json` is a single piece that is made once', async () => {
      await record(marked('refund', 12));
      expect(await drainBrokenOff(part(run))).toBe(await drain(part(run)));
    });
  });
}

/** Keys chosen by callers. */
function namesOf({ inputs, outputs, metadata }: Readonly<Record<string, unknown>>): string[] {
  return [inputs, outputs, metadata].flatMap((field) => Object.keys(field ?? {}));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
