import { createRequire } from 'node:module';

/** Finds modules as the server does, so that both sides of a comparison run the same versions. */
export const serverRequire = createRequire(
  new URL('../../packages/server/package.json', import.meta.url),
);
