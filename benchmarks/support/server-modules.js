import { createRequire } from 'node:module';

/** Resolves modules as the server does, so that both sides of a comparison use the same versions. */
export const serverRequire = createRequire(
  new URL('../../packages/server/package.json', import.meta.url),
);
