import type { PreparedDatabase } from './prepared.js';

/** What the engine's thread is started with. */
export interface WorkerSettings {
  readonly dataDir: string;
  /** Only to create the database; the thread is done with when it is ready. */
  readonly create: boolean;
  /** What to create it from, where there is one that fits. */
  readonly prepared: PreparedDatabase | null;
  /** Where to take connections. */
  readonly socketPath: string;
  readonly idleTransactionMs: number;
}

/** From the engine's thread. After `failed` it is gone. */
export type WorkerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'stopped' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'counters'; readonly fsyncs: number; readonly walBytes: number };

/** To the engine's thread. */
export type WorkerOrder = 'stop' | 'counters';

export function parseSettings(value: unknown): WorkerSettings {
  const fields = fieldsOf(value);
  const [dataDir, create] = [fields.get('dataDir'), fields.get('create')];
  const [socketPath, idleMs] = [fields.get('socketPath'), fields.get('idleTransactionMs')];
  if (
    typeof dataDir === 'string' &&
    typeof create === 'boolean' &&
    typeof socketPath === 'string' &&
    typeof idleMs === 'number'
  ) {
    const prepared = parsePrepared(fields.get('prepared'));
    return { dataDir, create, prepared, socketPath, idleTransactionMs: idleMs };
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

export function parseOrder(value: unknown): WorkerOrder {
  if (value === 'stop' || value === 'counters') return value;
  throw new TypeError('the engine was given an order of an unknown kind');
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map<string, unknown>(
    typeof value === 'object' && value !== null ? Object.entries(value) : [],
  );
}
