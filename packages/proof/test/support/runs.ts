import process from 'node:process';

const QUICK = 10;
/** The cases of a search are in the order of permutations, of which this divides no cycle shorter than five. */
const SAMPLE = 5;

/** Whether this is the quick run, or the one on the newest Node.js. */
export const isQuick = ['fast', 'newest'].includes(process.env.TEST_SPEED ?? '');

/** Whether this is the long run, which leaves nothing out. */
export const isThorough = process.env.TEST_SPEED === 'elsewhere';

/** The number of runs of a property: a tenth of `full` in the quick run, see vitest.config.ts. */
export function runs(full: number): number {
  return isQuick ? Math.ceil(full / QUICK) : full;
}

/** All cases of an exhaustive search in the long run, else every fifth. */
export function sample<Case>(all: readonly Case[]): readonly Case[] {
  return isThorough ? all : all.filter((_, n) => n % SAMPLE === 0);
}

/** All cases, or every tenth in the quick run. */
export function some<Case>(all: readonly Case[]): readonly Case[] {
  return isQuick ? all.filter((_, n) => n % QUICK === 0) : all;
}
