import { Observer } from '@decision-ledger/mcp/proxy/observer';
import { ToolRules } from '@decision-ledger/mcp/proxy/tool-rules';
import { expect, it } from 'vitest';
import { injected } from '../../client/test/support/injected.js';
import { openTestService } from '../../server/test/support/service.js';

it('A result of 20 MB that passes the proxy is read back byte for byte', async () => {
  const bed = await openTestService('embedded');
  bed.clock.advance(Date.now() - bed.clock.now());
  const ledger = injected(bed, (await bed.organisation()).live.key);
  const observer = new Observer({
    agentId: 'desk',
    rules: new ToolRules({ '*': { confidence: ['fixed:0.5'] } }),
    now: Date.now,
    record: (made) => ledger.record(made),
    warn: (text) => expect(text).toBe(''),
  });
  const text = Array.from({ length: 20 * 1024 }, (_, at) => `line ${at} `.padEnd(1024, 'x')).join(
    '',
  );
  const result = { content: [{ type: 'text', text }] };
  observer.sent('{"id":1,"method":"tools/call","params":{"name":"read"}}');
  observer.received(JSON.stringify({ id: 1, result }));
  expect(await ledger.flush()).toMatchObject({ accepted: 1 });
  for await (const { decision_id } of ledger.decisions.list()) {
    const bytes = await ledger.uploads.read(decision_id, 'outputs');
    expect(Buffer.from(JSON.stringify(result)).equals(bytes)).toBe(true);
  }
  await ledger.close();
  await bed.close();
});
