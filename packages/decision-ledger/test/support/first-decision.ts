import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run, start } from './installed.js';

/** Starts the service without arguments, records a decision, verifies the chains and stops the service. */
export async function recordFirstDecision(folder: string): Promise<void> {
  const service = start(folder, [], { LEDGER_PORT: '0' });
  try {
    const printed = await service.printed(/^Decision Ledger listens on \S+\n/);
    const url = /listens on (\S+)/.exec(printed)?.[1];
    const { live } = JSON.parse(readFileSync(join(folder, 'data/keys.json'), 'utf8'));
    const recorded = await fetch(`${url}/api/v1/decisions`, {
      method: 'POST',
      headers: { 'x-ledger-key': live, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ agent_id: 'support-agent', action_type: 'approve_refund', confidence: 0.93 },
        ...{ inputs: { reason: 'arrived broken' }, outputs: { approved: true } },
      }),
    });
    expect(recorded.status).toBe(201);
    expect(await recorded.json()).toMatchObject({ data: { seq: 1 } });

    const verified = await run(folder, 'verify', '--mode', 'live', '--json');
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(verified.stdout)).toMatchObject({
      is_valid: true,
      chains: [{ records_checked: 1 }, {}],
    });
  } finally {
    const { code, stderr } = await service.stop();
    expect({ code, faults: stderr.match(/"level":[56]0.*/g) }).toEqual({ code: 0, faults: null });
  }
}
