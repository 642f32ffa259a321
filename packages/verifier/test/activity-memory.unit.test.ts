import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ActivityEntry, activityEntry } from '@decision-ledger/proof/entry';
import { expect, test } from 'vitest';
import { ActivityFacts, timesKey } from '#verifier/checks/activity-facts';

const CHANGES = 50_000;
const ALLOWED_BYTES = 300;

setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');

test('A change whose data is withheld takes little memory', () => {
  // What else the process keeps meanwhile, such as compiled code, is not of the changes.
  const least = Math.min(bytesOfAChange(), bytesOfAChange(), bytesOfAChange());
  expect(least).toBeLessThan(ALLOWED_BYTES);
});

function bytesOfAChange(): number {
  const facts = new ActivityFacts(null);
  gc();
  const before = process.memoryUsage().heapUsed;
  for (let seq = 1; seq <= CHANGES; seq++) {
    const event = new Date(Date.UTC(2026, 0, 1) + seq).toISOString();
    facts.add({ entry: withheld(seq), hash: '' }, null, timesKey({ event }));
  }
  gc();
  const each = (process.memoryUsage().heapUsed - before) / CHANGES;
  expect(facts.events.size).toBe(CHANGES);
  return each;
}

/** Parsed from its own text, so that it shares no memory with others. */
function withheld(seq: number): ActivityEntry {
  const text = activityEntry({
    ...{ ledger: 'led_00000000000000000000000001', epoch: 1, seq, prev_hash: '0'.repeat(64) },
    ...{ activity_id: `act_${String(seq).padStart(26, '0')}`, type: 'financial_event.recorded' },
    ...{ actor: 'key_00000000000000000000000001', subject: `evt_${String(seq).padStart(26, '0')}` },
    created_at: new Date(Date.UTC(2026, 0, 1) + seq).toISOString(),
    commitments: { data: 'A'.repeat(43), when: 'A'.repeat(43) },
  });
  return JSON.parse(text);
}
