import { fdatasyncSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** Counters of file operations since the engine started. */
export interface StorageCounters {
  /** Calls of fsync. */
  fsyncs: number;
  /** Bytes written to the write-ahead log. */
  walBytes: number;
}

type InitArguments = Parameters<NodeFS['init']>;
type InitResult = Awaited<ReturnType<NodeFS['init']>>;

type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface FileStream {
  readonly nfd: number;
  readonly node: { readonly parent: { readonly name: string } };
}

type Write = (stream: FileStream, buffer: Uint8Array, ...position: number[]) => number;

type Read = (stream: FileStream, buffer: Uint8Array, ...position: number[]) => number;

interface StreamOperations {
  read: Read;
  write: Write;
  fsync?: (stream: FileStream) => number;
}

/**
 * PGlite's file system on a folder, with a working fsync; the original does nothing. A failed fsync
 * is final, because the kernel may have dropped the pages, so `onSyncFailure` must not return.
 */
export class DurableNodeFs extends NodeFS {
  readonly counters: StorageCounters = { fsyncs: 0, walBytes: 0 };

  constructor(
    folder: string,
    private readonly onSyncFailure: (error: unknown) => never,
    /** Called for each read and write of a file. */
    private readonly onOperation: () => void,
  ) {
    super(folder);
  }

  override async init(pg: InitArguments[0], options: InitArguments[1]): Promise<InitResult> {
    const { emscriptenOpts } = await super.init(pg, options);
    const instantiate: unknown = emscriptenOpts.instantiateWasm;
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        instantiateWasm: (imports: WasmImports, done: unknown): unknown =>
          callInstantiate(instantiate, withoutTimers(imports), done),
        preRun: [
          ...(emscriptenOpts.preRun ?? []),
          (module) => this.#makeDurable(streamOperations(module.NODEFS)),
        ],
      },
    };
  }

  #makeDurable(operations: StreamOperations): void {
    const { counters, onOperation } = this;
    const { read, write } = operations;
    operations.read = (stream, buffer, ...position) => {
      onOperation();
      return read(stream, buffer, ...position);
    };
    operations.fsync = (stream) => {
      try {
        fdatasyncSync(stream.nfd);
      } catch (error) {
        this.onSyncFailure(error);
      }
      counters.fsyncs += 1;
      return 0;
    };
    operations.write = (stream, buffer, ...position) => {
      onOperation();
      const written = write(stream, buffer, ...position);
      if (stream.node.parent.name === 'pg_wal') counters.walBytes += written;
      return written;
    };
  }
}

/**
 * PostgreSQL implements timeouts with an interval timer. In a single thread the timer fires only
 * between statements, where session timeouts would end the session that all clients share.
 */
function withoutTimers(imports: WasmImports): WasmImports {
  const { env } = imports;
  if (env?._setitimer_js === undefined) throw unknownBuild('interval timer');
  return { ...imports, env: { ...env, _setitimer_js: () => 0 } };
}

function callInstantiate(instantiate: unknown, imports: WasmImports, done: unknown) {
  if (typeof instantiate !== 'function') throw unknownBuild('module loader');
  return Reflect.apply(instantiate, undefined, [imports, done]);
}

function streamOperations(nodefs: unknown): StreamOperations {
  if (typeof nodefs === 'object' && nodefs !== null && 'stream_ops' in nodefs) {
    const operations = nodefs.stream_ops;
    if (isStreamOperations(operations)) return operations;
  }
  throw unknownBuild('file system');
}

function isStreamOperations(value: unknown): value is StreamOperations {
  return (
    typeof value === 'object' &&
    value !== null &&
    'write' in value &&
    typeof value.write === 'function' &&
    'read' in value &&
    typeof value.read === 'function'
  );
}

function unknownBuild(part: string): Error {
  return new Error(`this build of PGlite has an unexpected ${part}`);
}
