import { describe, inject } from 'vitest';
import { describePostgres } from './postgres.js';
import type { Engine } from './service.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The engine on which this project runs the files named *.engine.test.ts. */
    engine: Engine;
  }
}

/** For the files named *.engine.test.ts: the same tests on the embedded engine and on PostgreSQL. */
export function describeEngine(body: (engine: Engine) => void): void {
  const engine = inject('engine');
  if (engine === 'embedded') describe('Embedded engine', () => body(engine));
  else describePostgres('PostgreSQL server', () => body(engine));
}
