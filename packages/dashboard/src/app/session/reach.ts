import { LedgerApiError, LedgerConnectionError } from '@decision-ledger/client';
import { now } from '../clock.ts';

/** Whether the service answers, as far as is known. */
export interface ReachState {
  readonly isAway: boolean;
  /** ms since the epoch: when it answered last; null before the first answer. */
  readonly answeredAt: number | null;
}

/** Whether a request failed because the service, or something on the way to it, is away. */
function isOutOfReach(error: unknown): boolean {
  if (error instanceof LedgerConnectionError) return true;
  // A proxy answers in place of a service that is away.
  return error instanceof LedgerApiError && error.code === 'unknown' && error.status >= 500;
}

/** Watches the outcomes of the requests of a session. */
export class Reach {
  #state: ReachState = { isAway: false, answeredAt: null };
  readonly #listeners = new Set<() => void>();

  get state(): ReachState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  answered(): void {
    const wasAway = this.#state.isAway;
    this.#state = { isAway: false, answeredAt: now() };
    // The time alone is read when it is needed: nothing is drawn again for each answer.
    if (wasAway) this.#tell();
  }

  failed(error: unknown): void {
    if (!isOutOfReach(error) || this.#state.isAway) return;
    this.#state = { ...this.#state, isAway: true };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
