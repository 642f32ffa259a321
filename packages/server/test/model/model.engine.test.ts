import process from 'node:process';
import { expect, it } from 'vitest';
import { describeEngine } from '../support/engine.js';
import { itOnOneServer } from '../support/one-server.js';
import { openTestService } from '../support/service.js';
import { operationsOf } from './description.js';
import { lackingReads } from './reads.js';
import { lackingCommands } from './registry.js';
import { describeDone, runSequences, sequencesOf } from './run.js';

describeEngine((engine) => {
  it('Every operation that writes has a command, and every one that reads is read', async () => {
    const bed = await openTestService(engine);
    const operations = await operationsOf(bed.http);
    expect([...lackingCommands(operations), ...lackingReads(operations)]).toEqual([]);
    await bed.close();
  });

  const itOnce = itOnOneServer('it sets the time of one server');

  itOnce(
    'Whatever callers do in whatever order, the ledgers stay whole and prove it',
    async () => {
      const sequences = sequencesOf({ count: 2, longest: 100, seed: 1 });
      const done = await runSequences(engine, sequences);
      process.stdout.write(describeDone(done, sequences.seed));
      expect(done.sequences).toBe(sequences.count);
    },
    600_000,
  );
});
