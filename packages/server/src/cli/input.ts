import { randomBytes } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './output.js';

/** The input of a command: a file, a pipe or standard input. It can be read repeatedly. */
export interface Input {
  /** The name in error messages. */
  readonly name: string;
  chunks(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

const STDIN: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/**
 * Opens an input. A stream that can be read only once is first copied to a temporary file.
 * @param file a path, or - for standard input
 * @throws CommandError if it cannot be read
 */
export async function openInput(file: string): Promise<Input> {
  const name = STDIN.has(file) ? 'standard input' : file;
  const handle = await openFile(file, name);
  return {
    name,
    chunks: () => chunksOf(handle, name),
    close: () => handle.close(),
  };
}

/**
 * Reads a short text from a file, a pipe or standard input.
 * @throws CommandError if it cannot be read, is too long or is not UTF-8
 */
export async function readInput(file: string, maxBytes: number): Promise<string> {
  const input = await openInput(file);
  try {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of input.chunks()) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        throw new CommandError(`${input.name} is longer than the ${maxBytes} bytes allowed here`);
      }
      parts.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${input.name} is not UTF-8`);
    throw error;
  } finally {
    await input.close();
  }
}

async function openFile(file: string, name: string): Promise<FileHandle> {
  if (STDIN.has(file)) return spool(process.stdin, name);
  const handle = await open(file).catch((error: unknown) => {
    throw describe(name, error);
  });
  if ((await handle.stat()).isFile()) return handle;
  try {
    return await spool(handle.createReadStream({ autoClose: false }), name);
  } finally {
    await handle.close();
  }
}

/** Copies to a private, unlinked temporary file, which disappears with the process. */
async function spool(source: NodeJS.ReadableStream, name: string): Promise<FileHandle> {
  const path = join(tmpdir(), `decision-ledger-${randomBytes(12).toString('hex')}`);
  const copy = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    for await (const chunk of source) await copy.writeFile(chunk);
    return copy;
  } catch (error) {
    await copy.close();
    throw describe(name, error);
  }
}

async function* chunksOf(handle: FileHandle, name: string): AsyncGenerator<Buffer> {
  const stream = handle.createReadStream({ start: 0, autoClose: false });
  try {
    yield* stream;
  } catch (error) {
    throw describe(name, error);
  }
}

const PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EISDIR', 'is a folder, not a file'],
  ['EACCES', 'cannot be read: permission denied'],
  ['ENXIO', 'cannot be opened: use - for standard input'],
  ['ENOSPC', 'does not fit into the folder for temporary files (TMPDIR)'],
]);

function describe(name: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return new CommandError(`the file ${name} does not exist`);
  const problem = PROBLEMS.get(code);
  return problem === undefined ? error : new CommandError(`${name} ${problem}`);
}

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const MAX_CHARS = 16 * 1024 * 1024;

/**
 * Yields the non-empty lines of a UTF-8 text.
 * @throws CommandError if it cannot be read, is not UTF-8, or has a line above the limit
 */
export async function* readLines(input: Input): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  try {
    for await (const chunk of input.chunks()) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const text of parts) {
        number += 1;
        if (text.trim() !== '') yield { number, text };
      }
      if (rest.length > MAX_CHARS) throw new CommandError(`line ${number + 1} is too long`);
    }
    rest += decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`${input.name} is not UTF-8, from about line ${number + 1} on`);
  }
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}
