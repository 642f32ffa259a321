import process from 'node:process';

const LEAST = 22;
const isTooOld = Number.parseInt(process.versions.node, 10) < LEAST;

/** Whether this release of Node.js is too old for the Vercel AI SDK, and what the tests then say. */
export const AI_SDK = {
  isTooOld,
  note: isTooOld ? ` (skipped: it needs Node.js ${LEAST})` : '',
};
