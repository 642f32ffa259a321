import { defineConfig } from 'vitest/config';

const kinds = {
  /** Pure: no engine, no network, no process. */
  unit: { maxWorkers: 2, testTimeout: 10_000 },
  /** On the embedded engine. */
  int: { maxWorkers: 2, testTimeout: 60_000 },
  /** On a real PostgreSQL server. One file at a time, because some files restart the server. */
  pg: {
    maxWorkers: 1,
    testTimeout: 60_000,
    globalSetup: ['packages/server/test/support/postgres-global.ts'],
  },
  /** The built service as a process. */
  e2e: { maxWorkers: 1, testTimeout: 60_000 },
};

export default defineConfig({
  test: {
    projects: Object.entries(kinds).map(([name, kind], order) => ({
      test: {
        name,
        include: [`packages/*/test/**/*.${name}.test.ts`],
        pool: 'forks' as const,
        sequence: { groupOrder: order },
        hookTimeout: 60_000,
        teardownTimeout: 60_000,
        ...kind,
      },
    })),
  },
});
