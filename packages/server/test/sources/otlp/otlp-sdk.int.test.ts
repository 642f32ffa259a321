import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { diag } from '@opentelemetry/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { type Organisation, openTestService, type TestService } from '../../support/service.js';
import {
  exporterTo,
  exportSpans,
  type Format,
  makeSpans,
  START,
  TOOL,
} from './support/exporters.js';
import { startFaultyProxy } from './support/faulty-proxy.js';

let test: TestService;
let url: string;
let organisation: Organisation;

beforeAll(async () => {
  test = await openTestService('embedded');
  url = await test.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => test.close());
beforeEach(async () => {
  organisation = await test.organisation();
  await set({ preset: 'gen_ai_1.45' });
});

async function set(otlp: object, client = organisation.live): Promise<void> {
  const answer = await client.patch('/settings', { otlp });
  expect(answer.status, answer.text).toBe(200);
}

async function recorded(client = organisation.live) {
  const page = dataOf(await client.get('/decisions?limit=500'), DecisionPage);
  return page.decisions.toReversed();
}

const FORMATS: readonly Format[] = ['protobuf', 'json'];

describe('Spans of the OpenTelemetry SDK for Node.js', () => {
  describe.for(FORMATS)('as %s', (format) => {
    const exporter = (compression: 'gzip' | 'none' = 'gzip') =>
      exporterTo(url, organisation.live.key, format, compression);

    it.for(['gzip', 'none'] as const)('A tool call is recorded whole, with %s', async (packing) => {
      const [span] = makeSpans([{ attributes: TOOL }]);
      if (span === undefined) throw new Error('the SDK made no span');
      expect(await exportSpans(exporter(packing), [span])).toBeUndefined();
      const { traceId, spanId } = span.spanContext();
      expect(await recorded()).toEqual([
        expect.objectContaining({
          agent_id: 'refund-bot',
          action_type: 'refund',
          inputs: { order_id: 'A-1001', amount: '59.00' },
          outputs: { refunded: true },
          confidence: 0.93,
          human_in_loop: false,
          timestamp: new Date(START).toISOString(),
          metadata: {
            trace_id: traceId,
            span_id: spanId,
            tool_call_id: 'call_7',
            outcome: 'done',
            confidence_source: 'attribute',
            otlp_mapping: 1,
            otlp_preset: 'gen_ai_1.45',
          },
        }),
      ]);
      const path = '/decisions/chain/verify';
      const chain = dataOf(await organisation.live.get(path), DecisionChainVerification);
      expect(chain).toMatchObject({ is_valid: true, records_checked: 1 });
    });

    it('A turn of a model is no decision, and is accepted', async () => {
      const turn = { ...TOOL, 'gen_ai.operation.name': 'chat' };
      const spans = makeSpans([{ attributes: turn }, { attributes: {} }]);
      expect(await exportSpans(exporter(), spans)).toBeUndefined();
      expect(await recorded()).toEqual([]);
    });

    it('Spans are recorded once, in whatever batches they are sent again', async () => {
      const spans = makeSpans(
        Array.from({ length: 9 }, (_, index) => ({
          attributes: { ...TOOL, 'gen_ai.tool.call.id': `call_${index}` },
        })),
      );
      const batches = [
        spans.slice(0, 4),
        spans.slice(2, 9),
        spans.toReversed(),
        [...spans, ...spans],
      ];
      for (const batch of batches) {
        expect(await exportSpans(exporter(), batch)).toBeUndefined();
      }
      const other: Format = format === 'json' ? 'protobuf' : 'json';
      await exportSpans(exporterTo(url, organisation.live.key, other), spans);
      const ids = (await recorded()).map(({ metadata }) => metadata?.span_id);
      expect(ids).toEqual(spans.map((span) => span.spanContext().spanId));
    });

    it('Attributes of every type arrive as they were set', async () => {
      await set({
        version: 2,
        preset: 'none',
        rules: [{ span_name: 'all *', agent_id: ['fixed:a'], inputs: ['t', 'i', 'd', 'b', 'l'] }],
      });
      const attributes = {
        t: 'ß\u2028',
        i: 42,
        d: -0.5,
        b: false,
        l: [1.5, 2],
        'decision_ledger.confidence': 1,
      };
      await exportSpans(exporter(), makeSpans([{ name: 'all types', attributes }]));
      expect(await recorded()).toMatchObject([
        {
          action_type: 'all types',
          inputs: { t: 'ß\u2028', i: 42, d: -0.5, b: false, l: [1.5, 2] },
        },
      ]);
    });

    it('The SDK reads why a span was refused', async () => {
      const lines: string[] = [];
      const note = (...parts: unknown[]) => void lines.push(parts.join(' '));
      const quiet = () => undefined;
      diag.setLogger({
        ...{ error: note, warn: note },
        ...{ info: quiet, debug: quiet, verbose: quiet },
      });
      await set({ version: 2, rules: [{ operation: 'execute_tool' }] });
      const { 'decision_ledger.confidence': _, ...unsure } = TOOL;
      const spans = makeSpans([{ attributes: unsure }, { attributes: TOOL }]);
      expect(await exportSpans(exporter(), spans)).toBeUndefined();
      diag.disable();
      expect(lines.join('\n')).toMatch(
        /Partial Success.*"rejectedSpans":"?1"?,.*states no confidence/,
      );
      expect(await recorded()).toHaveLength(1);
    });

    it('After answers of 503, and answers that were lost, the SDK sends again, and all is recorded once', async () => {
      const proxy = await startFaultyProxy(url);
      const spans = makeSpans([{ attributes: TOOL }, { attributes: TOOL }, { attributes: TOOL }]);
      const sent = exporterTo(proxy.url, organisation.live.key, format);
      expect(await exportSpans(sent, spans)).toBeUndefined();
      await proxy.stop();
      expect(proxy.statuses).toEqual([503, 200, 200]);
      expect(await recorded()).toHaveLength(3);
    });

    it('A refusal names its cause to the SDK, and is not sent again', async () => {
      const wrong = exporterTo(url, `${organisation.live.key}x`, format);
      expect(String(await exportSpans(wrong, makeSpans([{ attributes: TOOL }])))).toMatch(
        /Unauthorized|401/,
      );
    });
  });
});
