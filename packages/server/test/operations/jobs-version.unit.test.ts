import { getConstructionPlans } from 'pg-boss';
import { expect, it } from 'vitest';
import { JOBS_VERSION } from '#server/platform/jobs/migrate-jobs';

it('The version of the job tables is the one that the installed pg-boss creates', () => {
  const plans = getConstructionPlans();
  const made = /insert into pgboss\.version\s*\(version\)\s*values\s*\('(\d+)'\)/i.exec(plans);
  expect(Number(made?.[1])).toBe(JOBS_VERSION);
});
