import type { JsonMembers } from '../json.js';
import type { IdKey } from './messages.js';
import type { ToolConfidence } from './tool-rules.js';

/** A tool call that waits for its result. */
export interface WaitingCall {
  readonly tool: string;
  /** The arguments as they are recorded. */
  readonly inputs: JsonMembers;
  readonly stated: ToolConfidence;
  /** Size of the line that the call came in, in characters. */
  readonly size: number;
  /** ms */
  readonly calledAt: number;
  /** What the server last said of the task that it answered with. */
  readonly taskStatus?: string;
}

const MAX_CALLS = 1000;
const MAX_SIZE = 64 * 1024 * 1024;

/** The calls without a result, the oldest first, up to a limit of memory. */
export class WaitingCalls {
  readonly #calls = new Map<IdKey, WaitingCall>();
  #size = 0;

  /** @param onLost receives calls that are given up, because of the limit or because their id is used again */
  constructor(private readonly onLost: (call: WaitingCall) => void) {}

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  has(id: IdKey): boolean {
    return this.#calls.has(id);
  }

  add(id: IdKey, call: WaitingCall): void {
    this.#lose(id);
    this.#calls.set(id, call);
    this.#size += call.size;
    for (const [oldest] of this.#calls) {
      if (this.#calls.size <= MAX_CALLS && this.#size <= MAX_SIZE) break;
      this.#lose(oldest);
    }
  }

  take(id: IdKey): WaitingCall | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    this.#size -= call.size;
    return call;
  }

  loseAll(): void {
    for (const [id] of this.#calls) this.#lose(id);
  }

  #lose(id: IdKey): void {
    const call = this.take(id);
    if (call !== undefined) this.onLost(call);
  }
}
