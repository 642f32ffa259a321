import { DEFAULT_LIABILITY } from '@decision-ledger/contract/liability-settings';
import type { Pool } from '@decision-ledger/liability/aggregate-plan';
import { describe, expect, it } from 'vitest';
import { outlooks } from '#server/domains/answers/analytics/outlooks';
import {
  experienceText,
  NO_EXPERIENCE,
  openSnapshot,
} from '#server/domains/judgement/liability/stored-snapshot';

const NOW = Date.UTC(2026, 3, 16, 23, 59, 59, 999);
const scope = { orgId: 'o', ledgerId: 'l', mode: 'live' } as const;
const model = openSnapshot({
  ...{ snapshot_id: 1, version: 'liability/v1', currency: 'USD' },
  settings: JSON.stringify({ ...DEFAULT_LIABILITY, payload_units: [] }),
  rates: '[]',
  experience: experienceText(NO_EXPERIENCE),
});

const pool = (expected: number): Pool => ({
  ...{ actionType: 'a', agentId: 'a', variant: '', decisions: 1, expected, realised: 0 },
  ...{ events: 1, eventSquares: 0.01, sizes: expected ** 2, stake: expected * 100 },
});

describe('Outlooks', () => {
  it('Outlooks are the same for the same pools on one day, and differ on the next', async () => {
    const { get } = outlooks({ now: () => NOW });
    const first = await get(scope, model, [pool(10)], NOW);
    expect(first.es95).toBeGreaterThan(first.p50);
    expect(await get(scope, model, [pool(10)], NOW)).toEqual(first);
    expect(await outlooks({ now: () => NOW }).get(scope, model, [pool(10)], NOW)).toEqual(first);
    expect(await get(scope, model, [pool(10)], NOW + 1)).not.toEqual(first);
    expect(await get(scope, model, [pool(11)], NOW)).not.toEqual(first);
    expect(await get({ ...scope, ledgerId: 'm' }, model, [pool(10)], NOW)).not.toEqual(first);
  });

  it('Outlooks are drawn once for equal requests, and refused while too many wait', async () => {
    const { get } = outlooks({ now: () => NOW });
    const same = Array.from({ length: 40 }, () => get(scope, model, [pool(1)], NOW));
    const others = Array.from({ length: 25 }, (_, n) => get(scope, model, [pool(n + 2)], NOW));
    const results = await Promise.allSettled([...same, ...others]);
    const refused = results.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(6);
    for (const one of refused) {
      expect(one).toMatchObject({
        reason: { code: 'unavailable', headers: { 'retry-after': '1' } },
      });
    }
    expect(await get(scope, model, [pool(26)], NOW)).toHaveProperty('p50');
  });
});
