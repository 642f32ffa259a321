/** The server's end of a connection. */
export interface Wire {
  /** Sends whole frames. `done` is called when the system has taken them, or if it never will. */
  write(bytes: Buffer, done: () => void): void;
  /** Sends a ping (RFC 6455, 5.5.2). */
  ping(): void;
  close(code: number, reason: string): void;
  /** Ends the connection without a closing handshake. */
  destroy(): void;
}
