import { setImmediate } from 'node:timers/promises';
import type { Reply, Session } from './session.js';
import { endsGroup, ROLLBACK_GROUP, UnitWriter } from './unit-writer.js';
import type { WireConnection } from './wire-connection.js';
import { FrameError, type Unit } from './wire-frames.js';

export interface SchedulerOptions {
  /** How long a transaction may wait for its client before it is rolled back, in milliseconds. */
  readonly idleTransactionMs: number;
  /** Runs between units while no transaction is open. */
  readonly betweenUnits: () => Promise<void>;
  /** Runs after each tick, once no transaction is open. */
  readonly afterTick: () => Promise<void>;
  /** Called when the session cannot continue; must not return. */
  readonly fatal: (error: unknown) => never;
}

/**
 * Shares the single session among the connections in order of arrival. A connection keeps the session
 * until its transaction ends.
 */
export class Scheduler {
  readonly #writer = new UnitWriter();
  /** Connections with units or pending clean-up, each at most once. */
  readonly #ready = new Set<WireConnection>();
  #owner: WireConnection | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #stopped = false;
  /** Whether a client of the open transaction may have changed the role. */
  #roleTouched = false;
  #ticked = false;

  constructor(
    private readonly session: Session,
    private readonly options: SchedulerOptions,
  ) {}

  /** Called when a connection has sent data or was closed. */
  wake(connection: WireConnection): void {
    if (connection.hasUnit || (connection.closed && this.#mustCleanUp(connection))) {
      this.#ready.add(connection);
    }
    if (connection === this.#owner && this.#idleTimer !== null) this.#awaitOwner();
    this.#schedule();
  }

  /** Schedules the engine's own work. */
  tick(): void {
    this.#ticked = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#running !== null || this.#stopped) return;
    if (this.#owner !== null && this.#next() === null) return;
    this.#running = this.#runAll()
      .catch((error: unknown) => this.options.fatal(error))
      .finally(() => {
        this.#running = null;
        if (this.#next() !== null) this.#schedule();
      });
  }

  /** Waits for the running statement and rolls back the open transaction. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
    this.#clearTimer();
    if (this.#owner !== null) await this.session.run(ROLLBACK_GROUP);
    this.#owner = null;
  }

  #mustCleanUp(connection: WireConnection): boolean {
    return connection === this.#owner || connection.statements.size > 0;
  }

  #next(): WireConnection | null {
    if (this.#stopped) return null;
    if (this.#owner !== null) return this.#ready.has(this.#owner) ? this.#owner : null;
    const first = this.#ready.values().next();
    return first.done === true ? null : first.value;
  }

  async #runAll(): Promise<void> {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#ready.delete(next);
      if (next.closed) await this.#cleanUp(next);
      else await this.#runUnit(next, next.takeUnit());
      if (next.hasUnit) this.#ready.add(next);
      if (this.#owner === null) await this.options.betweenUnits();
      // Lets sockets send and receive before the next statement blocks the thread.
      await setImmediate();
    }
    if (this.#owner !== null || !this.#ticked) return;
    this.#ticked = false;
    await this.options.afterTick();
  }

  async #runUnit(connection: WireConnection, unit: Unit | null): Promise<void> {
    if (unit === null) return;
    this.#clearTimer();
    if (connection !== this.#owner) {
      const refused = await this.session.assume(connection.role);
      if (refused !== null) return this.#refuse(connection, unit, refused);
    }
    const messages = this.#write(connection, unit);
    if (messages !== null) await this.#hand(connection, messages);
    if (this.#owner !== null) this.#awaitOwner();
    connection.closeAfterTerminate();
  }

  async #hand(connection: WireConnection, messages: Buffer): Promise<void> {
    const { chunks, scan } = await this.session.run(messages);
    connection.send(chunks);
    this.#owner = scan.status === 'I' ? null : connection;
    // `is_superuser` changes with the role, and PostgreSQL reports its changes.
    this.#roleTouched ||= scan.parameters.has('is_superuser');
    if (this.#owner !== null || !this.#roleTouched) return;
    this.#roleTouched = false;
    connection.role = await this.session.readRole();
  }

  #write(connection: WireConnection, unit: Unit): Buffer | null {
    try {
      return this.#writer.write(connection, unit);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      connection.closeWithError('08P01', error.message);
      return null;
    }
  }

  /** The client's role does not exist (yet), so the unit is answered with that error. */
  #refuse(connection: WireConnection, unit: Unit, reply: Reply): void {
    if (endsGroup(unit)) connection.send(reply.chunks);
    else connection.closeWithError('28000', `role "${connection.role}" does not exist`);
    connection.closeAfterTerminate();
  }

  async #cleanUp(connection: WireConnection): Promise<void> {
    if (connection === this.#owner) {
      this.#clearTimer();
      await this.session.run(ROLLBACK_GROUP);
      this.#owner = null;
      this.#roleTouched = false;
    }
    if (connection.statements.size === 0) return;
    await this.session.run(this.#writer.writeCleanUp(connection));
  }

  #awaitOwner(): void {
    this.#clearTimer();
    this.#idleTimer = setTimeout(() => {
      this.#owner?.closeWithError(
        '25P03',
        'terminating connection due to idle-in-transaction timeout',
      );
    }, this.options.idleTransactionMs);
  }

  #clearTimer(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer);
    this.#idleTimer = null;
  }
}
