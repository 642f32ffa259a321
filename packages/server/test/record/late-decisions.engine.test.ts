import { ActivityPage } from '@decision-ledger/contract/chain';
import { DecisionBatchReceipt, DecisionReceipt } from '@decision-ledger/contract/decision';
import { SettingsAnswer } from '@decision-ledger/contract/settings-forms';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonRequest, jsonSpan, postTraces } from '../sources/otlp/support/otlp-request.js';
import { type Client, dataOf, decision, errorOf, expectRefusal } from '../support/client.js';
import { describeEngine } from '../support/engine.js';
import { openTestService, type TestService } from '../support/service.js';

const DAY = 86_400;
const HOUR_MS = 3_600_000;

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
    // Lateness is measured by the clock of the database.
    bed.clock.advance(Date.now() - bed.clock.now());
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
  });
  afterAll(() => bed.close());

  const limit = (max_lateness_seconds: number | null) =>
    client.patch('/settings', { recording: { max_lateness_seconds } });
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const late = (fields: object = {}) => decision({ timestamp: hoursAgo(25), ...fields });

  describe('The limit of lateness', () => {
    it('Without the setting, a decision of any age is recorded', async () => {
      const { recording } = dataOf(await client.get('/settings'), SettingsAnswer);
      expect(recording).toMatchObject({ max_lateness_seconds: null });
      const old = await client.post('/decisions', late({ timestamp: '2001-01-01T00:00:00.000Z' }));
      expect(old.status).toBe(201);
    });

    it('An older decision is refused with the field, the limit and the remedy', async () => {
      expect((await limit(DAY)).status).toBe(200);
      const answer = await client.post('/decisions', late());
      expectRefusal(answer, 'too_late', 'timestamp');
      expect(answer.status).toBe(422);
      const { message } = errorOf(answer);
      expect(message).toContain('timestamp must not be more than 86400 seconds before');
      expect(message).toContain('recording.max_lateness_seconds');
      expect(message).toContain('metadata.decided_at');
      const metadata = { decided_at: hoursAgo(25) };
      for (const body of [decision({ timestamp: hoursAgo(23) }), decision({ metadata })]) {
        expect((await client.post('/decisions', body)).status).toBe(201);
      }
    });

    it('A batch with older decisions is refused whole, and names each of them', async () => {
      await limit(DAY);
      const decisions = [decision(), late(), decision(), late()];
      const answer = await client.post('/decisions/batch', { decisions });
      expectRefusal(answer, 'too_late', 'decisions[1].timestamp', 'decisions[3].timestamp');
      const first = dataOf(await client.post('/decisions', decision()), DecisionReceipt, 201);
      expect(first.seq).toBe(1);
    });

    it('A repeat of a recorded decision gets its receipt, however late it comes', async () => {
      const key = { 'idempotency-key': 'once' };
      const body = late();
      const member = late({ idempotency_key: 'member' });
      const first = dataOf(await client.post('/decisions', body, key), DecisionReceipt, 201);
      await client.post('/decisions/batch', { decisions: [member] });
      await limit(DAY);
      const again = dataOf(await client.post('/decisions', body, key), DecisionReceipt, 201);
      expect(again.decision_id).toBe(first.decision_id);
      const batch = await client.post('/decisions/batch', { decisions: [member, decision()] });
      const { decisions } = dataOf(batch, DecisionBatchReceipt, 201);
      expect(decisions.map(({ seq, replayed }) => [seq, replayed])).toEqual([
        [2, true],
        [3, false],
      ]);
      expectRefusal(await client.post('/decisions', late(), key), 'idempotency_conflict');
    });

    it('Only a limit of at least 24 hours is valid', async () => {
      const path = 'recording.max_lateness_seconds';
      for (const value of [0, DAY - 1, DAY + 0.5, 3651 * DAY, '86400']) {
        const answer = await client.patch('/settings', {
          recording: { max_lateness_seconds: value },
        });
        expectRefusal(answer, 'validation_error', path);
        expect(errorOf(answer).details?.fields?.[path]?.[0]).toContain('from 86400 (24 hours)');
      }
    });

    it('Each change of the limit has a record of its own in the activity chain', async () => {
      for (const value of [DAY, DAY, 2 * DAY, null]) await limit(value);
      await client.patch('/settings', { base_currency: 'EUR' });
      const path = '/activity?type=max_lateness.changed';
      const { activity } = dataOf(await client.get(path), ActivityPage);
      expect(activity.map(({ data }) => data)).toEqual([
        { max_lateness_seconds: null },
        { max_lateness_seconds: 2 * DAY },
        { max_lateness_seconds: DAY },
      ]);
    });

    it('A span that is too late is counted as rejected, and the others are recorded', async () => {
      await client.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
      await limit(DAY);
      const at = (hours: number) => String(BigInt(Date.parse(hoursAgo(hours))) * 1_000_000n);
      const spans = [25, 1].map((hours, index) => ({
        ...Object(jsonSpan()),
        ...{ spanId: `00f067aa0ba902b${index}`, startTimeUnixNano: at(hours) },
      }));
      const { status, bytes } = await postTraces(bed.http, client.key, jsonRequest(...spans));
      const { partialSuccess } = JSON.parse(bytes.toString());
      expect({ status, rejected: partialSuccess.rejectedSpans }).toEqual({
        ...{ status: 200, rejected: '1' },
      });
      expect(partialSuccess.errorMessage).toContain('span 00f067aa0ba902b0: timestamp must not be');
      const next = dataOf(await client.post('/decisions', decision()), DecisionReceipt, 201);
      expect(next.seq).toBe(2);
    });
  });
});
