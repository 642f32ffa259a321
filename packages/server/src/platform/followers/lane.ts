import { isOutage, type QuantumTools, type Turn, workQuantum } from './quantum.js';
import { AfterCommitError } from './step.js';
import { type Owned, Turns } from './turns.js';

export interface OwnTurn extends Turn, Owned {
  /** UUID. */
  readonly ledgerId: string;
}

export interface LaneTools extends QuantumTools {
  /** Called with the error of a turn, which is repeated later. */
  readonly onError: (error: unknown) => void;
  /** Called when something was done for a ledger (UUID), because of which more may be due. */
  readonly onWorked: (ledgerId: string) => void;
  /** The most organisations that are served at a time. */
  readonly atOnce: number;
}

/** How long (ms) an organisation is worked for before another one has its turn. */
const QUANTUM_MS = 100;
/** How long (ms) a ledger waits after an error that is none of the database as a whole. */
const PAUSE_MS = 5000;

/** Serves organisations in turn, as long as something is to be done. */
export class Lane {
  readonly #tools: LaneTools;
  readonly #turns = new Turns<OwnTurn>();
  readonly #stopped: AbortSignal;
  /** Until when (ms) what failed is left out, by its key. */
  readonly #paused = new Map<string, number>();
  /** The steps that fit where the largest does not, by key. */
  readonly #limits = new Map<string, number>();
  readonly #working = new Set<Promise<void>>();

  constructor(tools: LaneTools, stopped: AbortSignal) {
    this.#tools = tools;
    this.#stopped = stopped;
  }

  /** How many organisations are worked for. */
  get atWork(): number {
    return this.#working.size;
  }

  add(turn: Omit<OwnTurn, 'limit'>): void {
    const { key, follower } = turn;
    if ((this.#paused.get(key) ?? 0) > this.#tools.clock.now()) return;
    const limit = this.#limits.get(key) ?? follower.step;
    this.#turns.add({ ...turn, limit });
  }

  start(): void {
    while (!this.#stopped.aborted && this.#working.size < this.#tools.atOnce) {
      const first = this.#turns.begin();
      if (first === null) return;
      const working = this.#work(first).finally(() => {
        this.#working.delete(working);
        // Something may have been added after the last look at what waits.
        this.start();
      });
      this.#working.add(working);
    }
  }

  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.all(this.#working);
  }

  async #work(begun: OwnTurn): Promise<void> {
    for (let first: OwnTurn | null = begun; first !== null; first = this.#turns.begin()) {
      await this.#serve(first);
      if (this.#stopped.aborted) return;
    }
  }

  /** Works for an organisation until its quantum is over, whatever it has to do. */
  async #serve(first: OwnTurn): Promise<void> {
    const { stopwatch } = this.#tools;
    const ends = stopwatch() + QUANTUM_MS;
    for (let turn: OwnTurn | null = first; turn !== null; ) {
      await this.#take(turn, ends);
      if (this.#stopped.aborted) break;
      turn = stopwatch() < ends ? this.#turns.next(first.orgId) : null;
    }
    this.#turns.end(first.orgId);
  }

  async #take(turn: OwnTurn, ends: number): Promise<void> {
    try {
      const { hasWorked, hasMore } = await workQuantum(this.#tools, turn, ends, this.#stopped);
      this.#paused.delete(turn.key);
      if (turn.limit < turn.follower.step) this.#limits.set(turn.key, turn.limit);
      else this.#limits.delete(turn.key);
      if (hasMore) this.#turns.add(turn);
      if (hasWorked) this.#tools.onWorked(turn.ledgerId);
    } catch (error) {
      this.#fail(turn, error);
    }
  }

  #fail({ key }: OwnTurn, error: unknown): void {
    this.#tools.onError(error);
    // What hinders one hinders all: the next look finds them again.
    if (isOutage(error)) this.#turns.clear();
    else if (!(error instanceof AfterCommitError)) {
      this.#paused.set(key, this.#tools.clock.now() + PAUSE_MS);
    }
  }
}
