import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DecisionChainVerification } from '@decision-ledger/contract/chain';
import { DecisionPage } from '@decision-ledger/contract/decision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../../support/client.js';
import { freePort } from '../../support/free-port.js';
import { openTestService, type TestService } from '../../support/service.js';
import { exporterTo, exportSpans, makeSpans, TOOL } from './support/exporters.js';

const SOURCES = join(import.meta.dirname, 'collector');
const SPANS = 1000;

describeGo('Spans through a collector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-collector-'));
  let test: TestService;
  let collector: ChildProcess;
  let live: Client;
  let port: number;

  beforeAll(async () => {
    build(folder);
    test = await openTestService('embedded');
    const url = await test.http.listen({ port: 0, host: '127.0.0.1' });
    ({ live } = await test.organisation());
    await live.patch('/settings', { otlp: { preset: 'gen_ai_1.45' } });
    port = await freePort();
    const file = join(folder, 'collector.json');
    writeFileSync(file, JSON.stringify(configuration(port, url, live.key)));
    collector = spawn(join(folder, 'collector'), [file], { stdio: 'ignore' });
    await listens(port);
  }, 1_200_000);
  afterAll(async () => {
    if (collector.exitCode === null) collector.kill('SIGKILL');
    await test.close();
    rmSync(folder, { recursive: true });
  });

  it('Every tool call is recorded once, although all are sent twice and in other batches', async () => {
    const spans = makeSpans(
      Array.from({ length: SPANS }, (_, index) => ({
        attributes: { ...TOOL, 'gen_ai.tool.call.id': `call_${index}` },
      })),
    );
    const to = exporterTo(`http://127.0.0.1:${port}`, '', 'protobuf');
    for (const size of [64, 250]) {
      for (let start = 0; start < SPANS; start += size) {
        expect(await exportSpans(to, spans.slice(start, start + size))).toBeUndefined();
      }
    }
    // It sends what it holds before it ends.
    collector.kill('SIGTERM');
    await once(collector, 'close');
    const ids = new Set(spans.map((span) => span.spanContext().spanId));
    const recorded = await readAll(live);
    expect(recorded).toHaveLength(SPANS);
    expect(new Set(recorded)).toEqual(ids);
    const chain = await live.get('/decisions/chain/verify');
    expect(dataOf(chain, DecisionChainVerification)).toMatchObject({
      is_valid: true,
      records_checked: SPANS,
    });
  });
});

/** The ids of the spans that were recorded. */
async function readAll(live: Client): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: string | null = null;
  do {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = dataOf(await live.get(`/decisions?limit=500${next}`), DecisionPage);
    ids.push(...page.decisions.map(({ metadata }) => metadata?.span_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return ids;
}

function configuration(port: number, url: string, key: string) {
  return {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    processors: { batch: { send_batch_size: 90, send_batch_max_size: 90, timeout: '200ms' } },
    exporters: { otlp_http: { endpoint: url, headers: { 'X-Ledger-Key': key } } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: {
        traces: { receivers: ['otlp'], processors: ['batch'], exporters: ['otlp_http'] },
      },
    },
  };
}

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}/v1/traces`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the collector does not listen');
}

function build(folder: string): void {
  cpSync(SOURCES, folder, { recursive: true });
  for (const args of [
    ['mod', 'tidy'],
    ['build', '-o', 'collector', '.'],
  ]) {
    const { status, stderr } = spawnSync('go', args, { cwd: folder, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  }
}

/** `describe` for tests that build a collector; skipped with the reason in the name where it cannot be. */
function describeGo(name: string, body: () => void): void {
  const { status } = spawnSync('go', ['list', '-m', 'go.opentelemetry.io/collector/otelcol'], {
    ...{ cwd: SOURCES, timeout: 60_000 },
  });
  if (status === 0) describe(name, body);
  else
    describe.skip(
      `${name} (skipped: Go 1.26 with the modules of the collector is not at hand)`,
      body,
    );
}
