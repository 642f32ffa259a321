import { join } from 'node:path';
import { Pnl } from '@decision-ledger/contract/analytics';
import { success } from '@decision-ledger/contract/shared';
import { Parse } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { type Keys, readKeys } from '../support/service-process.js';
import { blocksOf, openClone, type Started } from './support/readme.js';

/** The sections of the walk-through in order. */
const WALK = [
  '## Record a decision',
  '## Import a day of work',
  '## See what the decisions moved',
  '## Hand over evidence',
];

const clone = openClone();
let service: Started;
let keys: Keys;

beforeAll(async () => {
  expect(blocksOf('## Start')).toEqual(['npm ci && npm start\n']);
  service = await clone.start('npm start');
  keys = readKeys(join(clone.folder, 'data'));
});

afterAll(async () => {
  await service.stop();
  clone.remove();
});

describe('Walk-through of README.md', () => {
  it('The walk-through runs as written and ends with the stated figures and evidence that passes', async () => {
    // One shell for all sections, like the reader's terminal; only the port differs.
    const script = WALK.flatMap(blocksOf).join('\n');
    expect(script).toContain('http://127.0.0.1:8080');
    const { code, stdout, stderr } = await clone.run(
      script.replaceAll('http://127.0.0.1:8080', service.url),
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('"seq":1');
    expect(stdout).toContain('48 decisions and 0 financial events imported');
    expect(stdout).toContain('0 decisions and 26 financial events imported');
    const [chargeback = ''] = stdout.match(/^lnk_.* chargeback .*$/m) ?? [];
    expect(chargeback).toMatch(/chargeback .* caused by {2}support-agent deny_refund/);
    expect(stdout).toContain('is ML_INFERRED now.');
    expect(stdout).toContain('is complete: 48 decisions');
    for (const verdict of ['integrity', 'authenticity']) {
      expect(stdout).toContain(`${verdict}: PASS (basis: key)`);
    }
    expect(stdout).toContain('completeness: UNPROVEN (basis: key)');
    expect(stdout).toContain('- log_unwitnessed');
    const caller = createCaller(service.url, keys.test);
    const { body } = await caller.call(
      'GET',
      '/api/v1/analytics/ai-pnl?start=2026-04-16&end=2026-04-16',
    );
    caller.close();
    const { expected, confirmed, expected_liability } = Parse(success(Pnl), body).data;
    expect(Number(expected.revenue)).toBeGreaterThan(1000);
    expect(Number(expected.costs)).toBeLessThan(0);
    expect(Number(expected.refunds)).toBeLessThan(0);
    expect(Number(expected.net)).toBeGreaterThan(0);
    expect(Number(confirmed.losses)).toBeLessThan(-100);
    expect(Number(expected_liability)).toBeGreaterThan(100);
    // The figures that the reader sees.
    for (const figure of [expected.revenue, expected.net, confirmed.losses, expected_liability]) {
      expect(stdout).toContain(`'${figure}'`);
    }
  });

  it('The walk-through writes to the test ledger and not to the live ledger', async () => {
    const caller = createCaller(service.url, keys.live);
    const { body } = await caller.call('GET', '/api/v1/decisions');
    caller.close();
    expect(body).toMatchObject({ data: { decisions: [] } });
  });

  it('The walk-through runs no command that downloads anything', () => {
    const commands = WALK.flatMap(blocksOf).join('\n');
    const run = [...commands.matchAll(/npx (\S+ \S+)/g)].map(([, command]) => command);
    expect(new Set(run)).toEqual(new Set(['--no decision-ledger', '--no decision-ledger-verify']));
  });
});
