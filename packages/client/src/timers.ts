/** Timers, replaceable in tests. */
export interface Timers {
  /**
   * @param keepsAlive whether the process stays alive for it; default: no
   * @returns a function that cancels the timer
   */
  after(ms: number, work: () => void, keepsAlive?: boolean): () => void;
}
