import process from 'node:process';

/** How many times a property is tried: a tenth of `full` in the quick run, see vitest.config.ts. */
export function runs(full: number): number {
  return process.env.TEST_SPEED === 'fast' ? Math.ceil(full / 10) : full;
}
