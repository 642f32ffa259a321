import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';

const AGENT = fileURLToPath(new URL('./support/agent.py', import.meta.url));

describePython('Spans of the OpenTelemetry SDK for Python', () => {
  let test: TestService;
  let url: string;

  beforeAll(async () => {
    test = await openTestService('embedded');
    url = await test.http.listen({ port: 0, host: '127.0.0.1' });
    // The spans are dated by the clock of this machine.
    test.clock.advance(Date.now() - test.clock.now());
  });
  afterAll(() => test.close());

  it.for(['gzip', 'none'])(
    'Tool calls with a confidence are recorded in order, with %s',
    async (packing) => {
      const { live } = await test.organisation();
      await live.patch('/settings', { otlp: { rules: [{ operation: 'execute_tool' }] } });
      // It does not log that the first span was refused: this SDK reads no partial success.
      expect(await runAgent(url, live.key, packing)).toBe('');
      const page = dataOf(await live.get('/decisions?limit=500'), DecisionPage);
      const expected = Array.from({ length: 49 }, (_, at) => ({
        agent_id: 'shop',
        action_type: 'refund',
        inputs: { order_id: `A-${at + 1}` },
        confidence: (at + 1) / 50,
        human_in_loop: at % 2 === 1,
      }));
      const recorded = page.decisions.toSorted((one, other) => one.seq - other.seq);
      expect(recorded).toMatchObject(expected);
      expect(recorded[6]?.outputs).toEqual({
        refunded: true,
        error: { type: 'error', message: 'no answer' },
      });
    },
  );
});

/** Runs the agent and returns what it logged. */
async function runAgent(...args: readonly string[]): Promise<string> {
  const agent = spawn('python3', [AGENT, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  agent.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(agent, 'close');
  expect(code, errors).toBe(0);
  return errors;
}

/** `describe` for tests on the SDK; skipped with the reason in the name if it is not installed. */
function describePython(name: string, body: () => void): void {
  try {
    const program = 'import opentelemetry.exporter.otlp.proto.http.trace_exporter';
    execFileSync('python3', ['-c', program], { stdio: 'pipe' });
  } catch {
    const package_ = 'opentelemetry-exporter-otlp-proto-http';
    describe.skip(`${name} (skipped: python3 with ${package_} is not installed)`, body);
    return;
  }
  describe(name, body);
}
