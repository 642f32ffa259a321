import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const postgres = { globalSetup: ['packages/server/test/support/postgres-global.ts'] };

/** The name of a kind is the end of its files' names; the files of one run before those of the next. */
const kinds = [
  /** Pure: no engine, no network, no process. */
  { name: 'unit', maxWorkers: 2, testTimeout: 30_000 },
  /** On the embedded engine, which keeps a core busy by itself. */
  { name: 'int', maxWorkers: 2, testTimeout: 60_000 },
  /** On a real PostgreSQL server, which the files share: one that stops a server starts its own. */
  {
    // A job that was dropped comes back after half a minute: what waits for jobs says so by itself.
    ...{ name: 'pg', maxWorkers: 3, testTimeout: 130_000, ...postgres },
    // Tests of one file that run together spend their time waiting until a dead worker is missed.
    maxConcurrency: 12,
  },
  /** Those that hold the service to a time: nothing else may take it from them. */
  { name: 'alone.pg', maxWorkers: 1, testTimeout: 60_000, ...postgres },
  /** The built service as a process, which keeps two cores busy while it starts. */
  { name: 'e2e', maxWorkers: 1, testTimeout: 180_000 },
  { name: 'alone.e2e', maxWorkers: 1, testTimeout: 180_000 },
];

/** The files that take longest, of whatever kind. A name that is missing here costs time, and nothing else. */
const LONGEST = [
  'import-money',
  'stripe-orders',
  'jobs',
  'worker-kill',
  'command-line',
  'embedded-folder',
];

/** Starts what takes longest first, so that nothing long is left for the end, when only it runs. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const kind = (file: TestSpecification) => file.project.config.sequence.groupOrder;
    return sorted.sort((a, b) => kind(a) - kind(b) || rank(a) - rank(b));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(basename(moduleId).replace(/\..*$/, ''));
  return place === -1 ? LONGEST.length : place;
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: kinds.map((kind, order) => ({
      test: {
        include: [`packages/*/test/**/*.${kind.name}.test.ts`],
        exclude: kind.name.startsWith('alone.') ? [] : ['**/*.alone.*'],
        pool: 'forks' as const,
        // A process runs many files: to read the service anew takes longer than most files' tests.
        isolate: false,
        sequence: { groupOrder: order },
        hookTimeout: 180_000,
        teardownTimeout: 60_000,
        ...kind,
      },
    })),
  },
});
