import type { Account } from './account.js';
import { type DeliverTools, deliver } from './deliver.js';
import type { LedgerProblem } from './errors.js';
import type { Timers } from './platform.js';
import type { Lane } from './queue.js';

export interface SenderTools extends DeliverTools {
  readonly account: Account;
  readonly lanes: readonly Lane[];
  readonly timers: Timers;
  readonly lingerMs: number;
  readonly maxBatch: number;
  readonly maxBatchBytes: number;
  readonly report: (problem: LedgerProblem) => void;
}

interface Waiter {
  /** `settled` of each lane that must be reached. */
  readonly targets: readonly number[];
  readonly resolve: () => void;
}

/** The wait after a fault of the sender itself, in ms. */
const FAULT_MS = 1_000;

/**
 * Delivers what waits in the lanes, one batch at a time, so that the chain has the order of the calls.
 * A fault is reported, and the sender continues.
 */
export class Sender {
  readonly #tools: SenderTools;
  readonly #stop = new AbortController();
  #cancelTimer: (() => void) | null = null;
  /** Whether the timer is due at once. */
  #isUrgent = false;
  #isRunning = false;
  #waiters: Waiter[] = [];
  #turn = 0;
  #hurry: (() => void) | null = null;

  constructor(tools: SenderTools) {
    this.#tools = tools;
  }

  get isSending(): boolean {
    return this.#isRunning;
  }

  /** Reports that a lane has grown. A full batch is sent at once, any other after a while. */
  notify(): void {
    if (this.#isRunning || this.#isUrgent || this.#stop.signal.aborted) return;
    const isFull = this.#tools.lanes.some((lane) => this.#isFull(lane));
    if (isFull) this.#schedule(0);
    else if (this.#cancelTimer === null) this.#schedule(this.#tools.lingerMs);
  }

  /** Sends what waits now. @returns when all of it is delivered or refused, or the sender stops */
  async drain(): Promise<void> {
    const { lanes } = this.#tools;
    const targets = lanes.map(({ added }) => added);
    if (this.#isReached(targets) || this.#stop.signal.aborted) return;
    const done = new Promise<void>((resolve) => this.#waiters.push({ targets, resolve }));
    this.#hurry?.();
    if (!this.#isRunning && !this.#isUrgent) this.#schedule(0);
    await done;
  }

  /** Ends the sender; what it has not delivered stays in its lanes. */
  stop(): void {
    this.#stop.abort();
    this.#cancelTimer?.();
    this.#hurry?.();
    for (const { resolve } of this.#waiters) resolve();
    this.#waiters = [];
  }

  #isFull({ added, settled, queuedBytes }: Lane): boolean {
    const { maxBatch, maxBatchBytes } = this.#tools;
    return added - settled >= maxBatch || queuedBytes >= maxBatchBytes;
  }

  #schedule(ms: number): void {
    this.#cancelTimer?.();
    this.#isUrgent = ms === 0;
    this.#cancelTimer = this.#tools.timers.after(ms, () => {
      this.#cancelTimer = null;
      this.#isUrgent = false;
      void this.#supervise();
    });
  }

  /** Runs until the lanes are empty, whatever happens. */
  async #supervise(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#run();
        break;
      } catch (error) {
        const message = `the sender failed and continues: ${String(error)}`;
        this.#tools.report({ kind: 'internal', message, decisions: 0, error });
        await this.#wait(FAULT_MS);
      }
    }
    this.#isRunning = false;
    // What was added in the last moment found the sender running.
    if (this.#tools.lanes.some(({ added, settled }) => settled < added)) this.notify();
  }

  async #run(): Promise<void> {
    for (;;) {
      const lane = this.#nextLane();
      if (lane === null || this.#stop.signal.aborted) return;
      const batch = lane.peek().slice(0, this.#tools.maxBatch);
      if (batch.length === 0 && lane.settled < lane.added) {
        throw new Error('decisions are counted that cannot be read');
      }
      if (!(await deliver(batch, this.#tools, this.#clock()))) return;
      lane.settle(batch.length);
      this.#resolveWaiters();
      // Without a flush, the next batch collects decisions again.
      const isDue = this.#waiters.length > 0 || this.#tools.lanes.some((one) => this.#isFull(one));
      if (!isDue) return;
    }
  }

  #clock() {
    return {
      signal: this.#stop.signal,
      wait: (ms: number, isFirm: boolean) => this.#wait(ms, isFirm),
    };
  }

  /** The lanes take turns, so that neither waits for the other to become empty. */
  #nextLane(): Lane | null {
    const { lanes } = this.#tools;
    for (let tried = 0; tried < lanes.length; tried += 1) {
      this.#turn = (this.#turn + 1) % lanes.length;
      const lane = lanes[this.#turn];
      if (lane !== undefined && lane.settled < lane.added) return lane;
    }
    return null;
  }

  /** @param isFirm whether a flush must not shorten the wait, because the service asked for it */
  async #wait(ms: number, isFirm = false): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#tools.timers.after(ms, resolve);
      const end = () => {
        cancel();
        resolve();
      };
      this.#hurry = () => {
        if (!isFirm || this.#stop.signal.aborted) end();
      };
    });
    this.#hurry = null;
  }

  #isReached(targets: readonly number[]): boolean {
    return this.#tools.lanes.every(({ settled }, index) => settled >= (targets[index] ?? 0));
  }

  #resolveWaiters(): void {
    const left: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (this.#isReached(waiter.targets)) waiter.resolve();
      else left.push(waiter);
    }
    this.#waiters = left;
  }
}
