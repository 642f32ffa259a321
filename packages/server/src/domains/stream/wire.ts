/** The caller's end of a connection. */
export interface Wire {
  /** Sends whole frames; `done` is called once the system has taken them, or never will. */
  write(bytes: Buffer, done: () => void): void;
  close(code: number, reason: string): void;
  /** Ends it without another word. */
  destroy(): void;
}
