import process from 'node:process';
import fc from 'fast-check';
import type { Engine } from '../support/service.js';
import { Bed } from './bed.js';
import { Call, type Draw } from './call.js';
import { expectInvariants } from './invariants.js';
import { DRAWN, runCommand } from './registry.js';
import { World } from './world.js';

/** How sequences are drawn; a failure prints what repeats it. */
export interface Sequences {
  readonly count: number;
  /** The most commands of one. Sequences have half of that on average. */
  readonly longest: number;
  readonly seed: number;
  /** The place of a failure in the tree of what was drawn, as it was printed; undefined to draw all. */
  readonly path?: string | undefined;
  /** Called after each sequence with how many are done. */
  readonly onProgress?: (done: number) => void;
}

/** The sequences that the environment asks for: CONTRIBUTING.md names the variables. */
export function sequencesOf(defaults: Pick<Sequences, 'count' | 'longest' | 'seed'>): Sequences {
  const { MODEL_SEQUENCES, MODEL_SEED, MODEL_PATH } = process.env;
  return {
    ...defaults,
    count: Number(MODEL_SEQUENCES ?? defaults.count),
    seed: Number(MODEL_SEED ?? defaults.seed),
    path: MODEL_PATH,
  };
}

/** A command with its draw. What a command does follows from the draw and from what the service answered before. */
class Drawn implements fc.AsyncCommand<World, World> {
  constructor(
    private readonly name: string,
    private readonly draw: Draw,
  ) {}

  check(): boolean {
    return true;
  }

  run(world: World): Promise<void> {
    return runCommand(this.name, new Call(world, this.draw));
  }

  toString(): string {
    return `${this.name}(${JSON.stringify(this.draw)})`;
  }
}

/** What every ledger has when a sequence begins: most commands need something to be about. */
const BEGINNING = [0, 1, 2].flatMap((ledger) =>
  ['recordDecisions', 'recordFinancialEvent', 'recordFinancialEvent', 'changeSettings'].map(
    (name, place) => new Drawn(name, { ledger, caller: 0, seed: 11 + 10 * ledger + place }),
  ),
);

/** Places of ledgers: most commands are about the first one, so that they meet. */
const LEDGERS = [0, 0, 0, 0, 0, 0, 1, 2];

const arbitraries = DRAWN.map((name) =>
  fc
    .record({
      ledger: fc.constantFrom(...LEDGERS),
      caller: fc.nat(99),
      seed: fc.integer({ min: 1 }),
    })
    .map((draw) => new Drawn(name, draw)),
);

export interface Done {
  readonly sequences: number;
  readonly commands: number;
  /** Calls by operation. */
  readonly calls: ReadonlyMap<string, number>;
}

/** A database that rows were deleted from gets slower, and this many sequences are worth a new one. */
const SEQUENCES_OF_BED = 15;

/** Runs random sequences of commands, and checks after each what always holds. */
export async function runSequences(engine: Engine, drawing: Sequences): Promise<Done> {
  const { count, longest, seed, path, onProgress } = drawing;
  const calls = new Map<string, number>();
  let [sequences, commands] = [0, 0];
  let bed = await Bed.open(engine);
  const property = fc.asyncProperty(
    fc.commands(arbitraries, { maxCommands: longest, size: 'max' }),
    async (drawn) => {
      if (sequences > 0) bed = await renewed(engine, bed, sequences);
      const world = await World.open(bed, calls);
      for (const command of BEGINNING) await command.run(world);
      await fc.asyncModelRun(() => ({ model: world, real: world }), drawn);
      await expectInvariants(world);
      sequences += 1;
      commands += [...drawn].length;
      onProgress?.(sequences);
    },
  );
  // What failed is repeated with its path; to shrink it would take longer than the run.
  const options = { endOnFailure: true, unbiased: true, ...(path !== undefined && { path }) };
  try {
    await fc.assert(property, { ...options, seed, numRuns: count });
  } finally {
    await bed.close();
  }
  return { sequences, commands, calls };
}

/** A bed without ledgers, after a sequence. */
async function renewed(engine: Engine, bed: Bed, sequences: number): Promise<Bed> {
  if (sequences % SEQUENCES_OF_BED !== 0) {
    await bed.forget();
    return bed;
  }
  await bed.close();
  return Bed.open(engine);
}

/** What was run, for the log. */
export function describeDone({ sequences, commands, calls }: Done, seed: number): string {
  const byName = [...calls].sort(([a], [b]) => a.localeCompare(b));
  const all = byName.map(([name, times]) => `${name} ${times}`).join(', ');
  return `model: ${sequences} sequences, ${commands} commands, seed ${seed}\n  ${all}\n`;
}
