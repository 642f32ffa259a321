import { type Confidence, computed, fixed, stated } from '@decision-ledger/client/confidence';
import { TestLedger } from '@decision-ledger/client/testing';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import type { AgentCall } from '#client/agents/call';
import { type AgentOptions, CallRecorder } from '#client/agents/call-recorder';
import { failure, membersOf } from '#client/agents/members';

const CALL: AgentCall = {
  kind: 'tool',
  agent: undefined,
  action: 'refund',
  inputs: { order: 'A-1', sure: 0.7 },
  outputs: { refunded: '49.00' },
  isByPerson: false,
  ids: { tool_call_id: 'c-1', call_id: undefined },
};

async function recorded(options: Partial<AgentOptions>, ...calls: readonly AgentCall[]) {
  const ledger = new TestLedger();
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const recorder = new CallRecorder({ ledger, agent: 'refund-agent', warn, ...options });
  for (const call of calls) recorder.record(() => [call]);
  await ledger.flush();
  return { decisions: ledger.recorded, warnings };
}

it('Without a confidence nothing is recorded, and the line to add is said once', async () => {
  const { decisions, warnings } = await recorded({}, CALL, CALL);
  expect(decisions).toEqual([]);
  expect(warnings).toEqual([
    expect.stringMatching(/^decision-ledger: refund was not recorded.*'confidence: fixed\(0\.8\)'/),
  ]);
});

const SOURCES: readonly {
  readonly from: string;
  readonly confidence: readonly Confidence[];
  readonly expected: readonly [number, string];
}[] = [
  { from: 'a rule', confidence: [stated('inputs.sure'), fixed(0.5)], expected: [0.7, 'rule'] },
  {
    from: 'the next source, if a rule finds nothing',
    confidence: [stated('outputs.sure'), fixed(0.5)],
    expected: [0.5, 'fixed'],
  },
  {
    from: 'a callback',
    confidence: [computed(({ action }) => (action === 'refund' ? 0.6 : undefined))],
    expected: [0.6, 'callback'],
  },
  {
    from: 'the next source, if a callback gives no number from 0 to 1',
    confidence: [computed(() => Number.NaN), computed(() => 1.2), fixed(0)],
    expected: [0, 'fixed'],
  },
  {
    from: 'the next source, if a callback throws',
    confidence: [
      computed(() => {
        throw new Error('no model');
      }),
      fixed(1),
    ],
    expected: [1, 'fixed'],
  },
];

it.each(SOURCES)('The confidence is from $from', async ({ confidence, expected }) => {
  const { decisions } = await recorded({ confidence }, CALL);
  expect(decisions.map((one) => [one.confidence, one.metadata?.confidence_source])).toEqual([
    expected,
  ]);
});

it('What the framework states comes first', async () => {
  const { decisions } = await recorded({ confidence: fixed(0.8) }, { ...CALL, confidence: 0.4 });
  expect(decisions).toMatchObject([
    { confidence: 0.4, metadata: { confidence_source: 'framework' } },
  ]);
});

it('A confidence that no source can have is refused when it is configured', () => {
  for (const value of [-0.1, 1.1, Number.NaN]) expect(() => fixed(value)).toThrow(RangeError);
  for (const path of ['confidence', 'metadata.sure', '']) {
    expect(() => stated(path)).toThrow(RangeError);
  }
});

it('A handoff and a final output are decisions only on request', async () => {
  const calls = (['handoff', 'final_output'] as const).map((kind) => ({ ...CALL, kind }));
  const confidence = fixed(0.8);
  expect((await recorded({ confidence }, ...calls)).decisions).toEqual([]);
  expect((await recorded({ confidence, also: ['handoff'] }, ...calls)).decisions).toHaveLength(1);
});

it('The ids of the framework, of the span and of the application are metadata', async () => {
  const span = new BasicTracerProvider().getTracer('test').startSpan('refund');
  const { traceId: trace_id, spanId: span_id } = span.spanContext();
  const metadata = ({ inputs }: AgentCall) => ({ order_id: inputs.order, confidence_source: 'x' });
  const options = { span: () => span, metadata, confidence: fixed(0.8) };
  const { decisions } = await recorded(options, CALL);
  expect(decisions[0]?.metadata).toEqual({
    ...{ tool_call_id: 'c-1', trace_id, span_id, order_id: 'A-1', confidence_source: 'fixed' },
  });
});

it('Metadata and a span that cannot be read leave the decision as it is', async () => {
  const metadata = () => {
    throw new Error('no customer');
  };
  const span = () => {
    throw new Error('no tracer');
  };
  const { decisions, warnings } = await recorded({ metadata, span, confidence: fixed(0.8) }, CALL);
  expect(decisions).toHaveLength(1);
  expect(warnings).toEqual([
    'decision-ledger: the span of a decision could not be read: no tracer',
    'decision-ledger: the metadata of a decision could not be read: no customer',
  ]);
});

it('A handler of warnings that throws is not noticed', async () => {
  const warn = () => {
    throw new Error('no console');
  };
  expect((await recorded({ warn }, CALL)).decisions).toEqual([]);
});

it('A fixed confidence stays marked when a mask drops the payload', async () => {
  const mask = () => {
    throw new Error('no mask');
  };
  const ledger = new TestLedger({ mask, onError: () => undefined });
  const recorder = new CallRecorder({ ledger, agent: 'a', confidence: fixed(0.99) });
  recorder.record(() => [CALL]);
  await ledger.flush();
  expect(ledger.recorded).toMatchObject([
    { metadata: { ledger_payload_dropped: 'mask_failed', confidence_source: 'fixed' } },
  ]);
});

it('Values that are no objects stand under a name, and a whole JSON text is what it says', () => {
  const values = [undefined, null, 'paid', '', [1], { a: 1 }, '{"a":1}', '[1]', 'true'];
  expect(values.map(membersOf)).toEqual([
    ...[{}, { value: null }, { value: 'paid' }, { value: '' }, { value: [1] }, { a: 1 }],
    ...[{ a: 1 }, { value: [1] }, { value: 'true' }],
  ]);
});

it('A member of the metadata that throws costs no decision', async () => {
  const broken = Object.defineProperty({}, 'customer', {
    enumerable: true,
    get() {
      throw new Error('no customer');
    },
  });
  const { decisions } = await recorded({ metadata: () => broken, confidence: fixed(0.8) }, CALL);
  expect(decisions).toHaveLength(1);
});

it('Whatever is thrown is a failure with a text', () => {
  const unnamed = Object.defineProperty(new Error('no name'), 'name', {
    get() {
      throw new Error('none');
    },
  });
  const thrown = ['no money', undefined, Object.create(null), Symbol('s'), unnamed];
  expect(thrown.map((error) => failure(error).outputs)).toEqual(
    ['no money', 'undefined', 'object', 'Symbol(s)', 'no name'].map((message) => ({
      status: 'failed',
      error: { type: 'Error', message },
    })),
  );
});
