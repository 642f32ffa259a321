/** The caller's end of a connection. */
export interface Wire {
  /** Sends whole frames; `done` is called once the system has taken them, or never will. */
  write(bytes: Buffer, done: () => void): void;
  /** Asks whether the other end is there, which it is to answer by itself. */
  ping(): void;
  close(code: number, reason: string): void;
  /** Ends it without another word. */
  destroy(): void;
}
