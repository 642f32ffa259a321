import type { Config } from '../config.js';
import type { Patience } from '../platform/connection.js';
import { damageIn, reasonOf } from '../platform/failures.js';
import { type Finding, failed, skipped } from './finding.js';
import { CHECKS, type Check } from './registry.js';
import { type DoctorSubject, openForChecks } from './subject.js';

export interface CheckReport extends Finding {
  readonly check: string;
}

interface ExamineOptions {
  readonly patience: Patience;
  readonly now: () => number;
  readonly onProgress: DoctorSubject['onProgress'];
}

/** Runs every check of the configured storage. Nothing is created, migrated or repaired. */
export async function examine(config: Config, options: ExamineOptions): Promise<CheckReport[]> {
  const { patience, now, onProgress } = options;
  const closed = { config, now, onProgress, database: null };
  const before = await run('before', { ...closed, opening: skipped('it was not opened yet') });
  const [database, opening] = before.some(({ status }) => status === 'failed')
    ? ([null, skipped('it was not opened, because of what failed before')] as const)
    : await openForChecks(config, patience);
  const open = { ...closed, database, opening };
  const during = await run('open', open).finally(() => database?.close());
  return [...before, ...during, ...(await run('after', { ...open, database: null }))];
}

async function run(phase: Check['phase'], subject: DoctorSubject): Promise<CheckReport[]> {
  const reports: CheckReport[] = [];
  for (const [check, { storage, phase: own, run: find }] of Object.entries(CHECKS)) {
    if (own !== phase || !storage.includes(subject.config.storage.kind)) continue;
    reports.push({ check, ...(await find(subject).catch(unexpected)) });
  }
  return reports;
}

/** A check may meet damage, or a service that stops. */
function unexpected(error: unknown): Finding {
  const place = damageIn(error);
  return place === null
    ? failed(
        `the check ended with an error: ${reasonOf(error)}`,
        'Remove its cause, and check again',
      )
    : failed(`damaged: ${place}`, 'Restore a backup (docs/operations.md, "Damaged data")');
}
