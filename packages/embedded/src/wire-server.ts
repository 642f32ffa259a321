import { chmodSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import type { Scheduler } from './scheduler.js';
import { type ConnectionEvents, WireConnection } from './wire-connection.js';

/** The control socket: accepts any number of clients of the PostgreSQL protocol, version 3. */
export class WireServer {
  readonly #server: Server;
  readonly #connections = new Set<WireConnection>();
  #lastId = 0;

  constructor(
    private readonly scheduler: Scheduler,
    private readonly parameters: ReadonlyMap<string, string>,
  ) {
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Whether a client copies the files of the database, so no checkpoint may be made. */
  get holdsCheckpoints(): boolean {
    return [...this.#connections].some(({ holdsCheckpoints }) => holdsCheckpoints);
  }

  /**
   * Listens on the path. The socket is created in a private folder and moved, so that nobody else can
   * connect before its mode is set, whatever the mode of the data folder.
   */
  async listen(path: string): Promise<void> {
    if (process.platform === 'win32') return this.#listen(path);
    const home = mkdtempSync(join(dirname(path), '.s-'));
    try {
      const made = join(home, basename(path));
      await this.#listen(made);
      chmodSync(made, 0o600);
      renameSync(made, path);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  }

  /** Stops accepting clients and disconnects the others after the running statement. */
  async close(path: string): Promise<void> {
    if (process.platform !== 'win32') rmSync(path, { force: true });
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.scheduler.stop();
    for (const connection of this.#connections) {
      connection.closeWithError('57P01', 'terminating connection: the service is stopping');
    }
    await closed;
  }

  #listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  #accept(socket: Socket): void {
    this.#lastId += 1;
    const events: ConnectionEvents = {
      onData: (connection) => this.scheduler.wake(connection),
      onClosed: (connection) => {
        this.#connections.delete(connection);
        this.scheduler.wake(connection);
      },
    };
    this.#connections.add(new WireConnection(this.#lastId, socket, this.parameters, events));
  }
}
