import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { describePostgres } from '../support/postgres.js';
import type { Engine } from '../support/service.js';
import { describeDone, runSequences, sequencesOf } from './run.js';

const HOURS = 3_600_000;

const body = (engine: Engine) => () => {
  it(
    'Thousands of sequences leave the ledgers whole',
    async () => {
      const sequences = sequencesOf({ count: 1000, longest: 200, seed: Date.now() % 2 ** 31 });
      const onProgress = (done: number) => {
        if (done % 50 === 0) process.stdout.write(`${engine}: ${done} of ${sequences.count}\n`);
      };
      const done = await runSequences(engine, { ...sequences, onProgress });
      process.stdout.write(describeDone(done, sequences.seed));
      expect(done.sequences).toBe(sequences.count);
    },
    8 * HOURS,
  );
};

describe('Embedded engine', body('embedded'));
describePostgres('PostgreSQL server', body('postgres'));
