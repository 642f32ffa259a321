import type { PreparedDatabase } from './prepared.js';

/** The settings of the engine's thread. */
export interface WorkerSettings {
  readonly dataDir: string;
  /** Whether the thread only creates the database; it then ends. */
  readonly create: boolean;
  /** The template to create it from, if there is a suitable one. */
  readonly prepared: PreparedDatabase | null;
  /** The socket that accepts connections. */
  readonly socketPath: string;
  readonly idleTransactionMs: number;
  /** The time of the database, if it is not that of the system. */
  readonly time: SharedArrayBuffer | null;
  /** A number that grows with each file operation, so that the parent sees progress; 32 bits. */
  readonly operations: SharedArrayBuffer;
}

/** Messages from the engine's thread. `failed` is the last one. */
export type WorkerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'counters'; readonly fsyncs: number; readonly walBytes: number };

/** Messages to the engine's thread. */
export type WorkerCommand = 'stop' | 'counters';

export function parseSettings(value: unknown): WorkerSettings {
  const fields = fieldsOf(value);
  const [dataDir, create] = [fields.get('dataDir'), fields.get('create')];
  const [socketPath, idleMs] = [fields.get('socketPath'), fields.get('idleTransactionMs')];
  const operations = fields.get('operations');
  if (
    typeof dataDir === 'string' &&
    typeof create === 'boolean' &&
    typeof socketPath === 'string' &&
    typeof idleMs === 'number' &&
    operations instanceof SharedArrayBuffer
  ) {
    const prepared = parsePrepared(fields.get('prepared'));
    const shared = fields.get('time');
    const time = shared instanceof SharedArrayBuffer ? shared : null;
    const given = { dataDir, create, prepared, socketPath, idleTransactionMs: idleMs };
    return { ...given, time, operations };
  }
  throw new TypeError('the engine was started without its settings');
}

function parsePrepared(value: unknown): PreparedDatabase | null {
  const fields = fieldsOf(value);
  const [file, madeOf] = [fields.get('file'), fields.get('madeOf')];
  return typeof file === 'string' && typeof madeOf === 'string' ? { file, madeOf } : null;
}

export function parseReport(value: unknown): WorkerReport {
  const fields = fieldsOf(value);
  const type = fields.get('type');
  if (type === 'ready' || type === 'stopped') return { type };
  const reason = fields.get('reason');
  if (type === 'failed' && typeof reason === 'string') return { type, reason };
  const [fsyncs, walBytes] = [fields.get('fsyncs'), fields.get('walBytes')];
  if (type === 'counters' && typeof fsyncs === 'number' && typeof walBytes === 'number') {
    return { type, fsyncs, walBytes };
  }
  throw new TypeError('the engine sent a report of an unknown kind');
}

export function parseCommand(value: unknown): WorkerCommand {
  if (value === 'stop' || value === 'counters') return value;
  throw new TypeError('the engine was given an order of an unknown kind');
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
}
