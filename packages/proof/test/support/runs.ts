import process from 'node:process';

const speed = process.env.TEST_SPEED ?? 'named';

/** What a run leaves of a property: a tenth in the quick run, and a fifth in the rest. */
const PARTS = new Map([
  ['fast', 10],
  ['newest', 10],
  ['rest', 5],
  ['all', 5],
]);
const QUICK = 10;
/** The cases of a search are in the order of permutations, of which this divides no cycle shorter than five. */
const SAMPLE = 5;

/** Whether this is the quick run, or the one on the newest Node.js. */
const isQuick = ['fast', 'newest'].includes(speed);

/** Whether this is the long run, which leaves nothing out. */
export const isThorough = speed === 'elsewhere';

/** The number of runs of a property: all of them in the long run, and of a file that somebody names. */
export function runs(full: number): number {
  return Math.ceil(full / (PARTS.get(speed) ?? 1));
}

/** All cases of an exhaustive search in the long run, else every fifth. */
export function sample<Case>(all: readonly Case[]): readonly Case[] {
  return isThorough ? all : all.filter((_, n) => n % SAMPLE === 0);
}

/** All cases, or every tenth in the quick run. */
export function some<Case>(all: readonly Case[]): readonly Case[] {
  return isQuick ? all.filter((_, n) => n % QUICK === 0) : all;
}
