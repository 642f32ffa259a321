import { createHash, randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { NO_ROLE } from './session.js';
import {
  FrameError,
  FrameSplitter,
  readParameters,
  type Unit,
  UnitBuilder,
} from './wire-frames.js';
import {
  AUTHENTICATION_OK,
  backendKey,
  fatal,
  parameterStatus,
  readyForQuery,
} from './wire-messages.js';

const CANCEL_REQUEST = 80877102;
const SSL_REQUEST = 80877103;
const GSS_REQUEST = 80877104;

/** The user that copies the files of the database. */
const BACKUP = 'backup';
/** The allowed users and their roles. */
const ROLE_OF_USER = new Map([
  ['postgres', NO_ROLE],
  [BACKUP, NO_ROLE],
  ['ledger_app', 'ledger_app'],
]);
const DATABASE = 'postgres';

/** PostgreSQL silently truncates longer statement names. */
const MAX_NAME_BYTES = 63;
/** Above this many bytes waiting for the session, the client is paused. */
const MAX_WAITING_BYTES = 16 << 20;

const CLOSE_TIMEOUT_MS = 1000;

export interface ConnectionEvents {
  /** Data was received: complete units, or part of one. */
  onData(connection: WireConnection): void;
  onClosed(connection: WireConnection): void;
}

/** A client connection: its handshake, its waiting units and its state in the session. */
export class WireConnection {
  role = NO_ROLE;
  /** Whether the engine makes no checkpoint of its own while this connection is open. */
  holdsCheckpoints = false;
  /** Names, in the session, of prepared statements that the client may have left there. */
  readonly statements = new Set<string>();
  closed = false;

  readonly #splitter = new FrameSplitter();
  readonly #builder = new UnitBuilder();
  #units: Unit[] = [];
  #waitingBytes = 0;
  #ready = false;
  #terminating = false;

  constructor(
    readonly id: number,
    private readonly socket: Socket,
    private readonly parameters: ReadonlyMap<string, string>,
    private readonly events: ConnectionEvents,
  ) {
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      this.closed = true;
      this.#units = [];
      events.onClosed(this);
    });
  }

  get hasUnit(): boolean {
    return this.#units.length > 0;
  }

  takeUnit(): Unit | null {
    const unit = this.#units.shift() ?? null;
    if (unit === null) return null;
    this.#waitingBytes -= sizeOf(unit);
    if (this.#waitingBytes <= MAX_WAITING_BYTES) this.socket.resume();
    return unit;
  }

  /** Closes the connection of a client that sent Terminate, once its units are done. */
  closeAfterTerminate(): void {
    if (this.#terminating && !this.hasUnit) this.socket.destroySoon();
  }

  send(chunks: readonly Buffer[]): void {
    if (this.closed || chunks.length === 0) return;
    this.socket.cork();
    for (const chunk of chunks) this.socket.write(chunk);
    this.socket.uncork();
  }

  /** Closes the connection with an error message. */
  closeWithError(code: string, text: string): void {
    if (this.closed) return;
    this.#units = [];
    this.#terminating = true;
    this.socket.end(fatal(code, text), () => this.socket.destroy());
    // A client that does not read must not keep resources.
    setTimeout(() => this.socket.destroy(), CLOSE_TIMEOUT_MS).unref();
  }

  /** The session-wide name of a client's statement. */
  statementName(name: string): string {
    const whole = `c${this.id}.${name}`;
    if (Buffer.byteLength(whole) <= MAX_NAME_BYTES) return whole;
    return `c${this.id}#${createHash('sha256').update(name).digest('base64url')}`;
  }

  #receive(chunk: Buffer): void {
    if (this.#terminating) return;
    this.#splitter.push(chunk);
    try {
      if (!this.#ready) this.#handshake();
      if (this.#ready) this.#collect();
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.closeWithError('08P01', error.message);
    }
    this.events.onData(this);
  }

  #collect(): void {
    let frame = this.#splitter.takeFrame();
    while (frame !== null && !this.#terminating) {
      if (frame.type === 'X') {
        this.#terminating = true;
        this.closeAfterTerminate();
        return;
      }
      const unit = this.#builder.add(frame);
      if (unit !== null) this.#queue(unit);
      frame = this.#splitter.takeFrame();
    }
  }

  #queue(unit: Unit): void {
    this.#units.push(unit);
    this.#waitingBytes += sizeOf(unit);
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.socket.pause();
  }

  #handshake(): void {
    let startup = this.#splitter.takeStartup();
    while (startup !== null && !this.#ready) {
      const { code, body } = startup;
      if (code === SSL_REQUEST || code === GSS_REQUEST) this.socket.write('N');
      else if (code === CANCEL_REQUEST) this.socket.destroy();
      else if (code >>> 16 === 3) this.#authenticate(readParameters(body));
      else throw new FrameError('this is not version 3 of the protocol');
      if (this.#ready || this.#terminating || this.socket.destroyed) return;
      startup = this.#splitter.takeStartup();
    }
  }

  #authenticate(given: ReadonlyMap<string, string>): void {
    const user = given.get('user') ?? '';
    const database = given.get('database') ?? user;
    const role = ROLE_OF_USER.get(user);
    if (role === undefined || database !== DATABASE) {
      const [code, what] = role === undefined ? ['28000', `role "${user}"`] : ['3D000', database];
      this.closeWithError(code, `${what} does not exist here`);
      return;
    }
    this.role = role;
    this.holdsCheckpoints = user === BACKUP;
    this.#ready = true;
    this.send([
      AUTHENTICATION_OK,
      ...[...this.parameters].map(([name, value]) => parameterStatus(name, value)),
      backendKey(this.id, randomBytes(4)),
      readyForQuery(),
    ]);
  }
}

function sizeOf(unit: Unit): number {
  return unit.reduce((sum, frame) => sum + frame.bytes.length, 0);
}
