import { readConfig } from '../config.js';
import { type CheckReport, examine } from '../doctor/examine.js';
import { systemClock } from '../platform/clock.js';
import { PATIENCE } from './open.js';
import { print, printJson, progressBar } from './output.js';

const MIB = 1 << 20;

/** Checks the data and what they need. Sets exit code 1 if a check failed. */
export async function doctor({ json = false }: { json?: boolean }): Promise<void> {
  const config = readConfig(process.env);
  const bar = progressBar('pages');
  try {
    const checks = await examine(config, {
      patience: PATIENCE,
      now: () => systemClock.now(),
      onProgress: (done, of) => bar.update(Math.ceil(done / MIB), Math.ceil(of / MIB)),
    });
    bar.stop();
    const isHealthy = checks.every(({ status }) => status !== 'failed');
    if (json) printJson({ is_healthy: isHealthy, storage: config.storage.kind, checks });
    else for (const check of checks) print(...linesOf(check));
    if (!isHealthy) process.exitCode = 1;
  } finally {
    bar.stop();
  }
}

const STATUS_WIDTH = 9;
const NAME_WIDTH = 17;

function linesOf({ check, status, found, remedy }: CheckReport): string[] {
  const line = `${status.padEnd(STATUS_WIDTH)}${check.replaceAll('_', ' ').padEnd(NAME_WIDTH)}${found}`;
  return remedy === null ? [line] : [line, `${' '.repeat(STATUS_WIDTH + NAME_WIDTH)}→ ${remedy}`];
}
