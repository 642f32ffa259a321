import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  startService,
} from '../support/service-process.js';
import { digestOf, uploadSurvivesKills } from './support/killed-upload.js';

describe('Kills in the middle of an upload on the embedded engine', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-upload-'));
  const [dataDir, restored] = [join(folder, 'data'), join(folder, 'restored')];
  const file = join(folder, 'backup.zip');
  const environment = embeddedEnvironment(dataDir);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('A client continues at the offset that the service states, and a backup has every byte', async () => {
    const liveKey = () => readKeys(dataDir).live;
    const { decision_id, sha256 } = await uploadSurvivesKills(environment, liveKey);
    const service = await startService(environment);
    const made = await runCommand(['backup', file], environment);
    await service.stop();
    expect([made.code, made.stderr]).toEqual([0, '']);
    const opened = await runCommand(['restore', file, '--data', restored], environment);
    expect([opened.code, opened.stderr]).toEqual([0, '']);
    const copy = await startService(embeddedEnvironment(restored));
    expect(await digestOf(copy, liveKey(), decision_id)).toBe(sha256);
    await copy.stop();
  }, 600_000);
});
