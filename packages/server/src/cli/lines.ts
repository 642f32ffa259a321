import { createReadStream } from 'node:fs';
import { CommandError } from './output.js';

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

const MOST_CHARS = 16 * 1024 * 1024;

/**
 * The lines of a UTF-8 file that hold anything, one at a time.
 * @throws CommandError for a file that cannot be read, is not UTF-8, or has an endless line
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let number = 0;
  try {
    for await (const chunk of createReadStream(file)) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const text of parts) {
        number += 1;
        if (text.trim() !== '') yield { number, text };
      }
      if (rest.length > MOST_CHARS) throw new CommandError(`line ${number + 1} is too long`);
    }
    rest += decoder.decode();
  } catch (error) {
    throw describe(file, number, error);
  }
  if (rest.trim() !== '') yield { number: number + 1, text: rest };
}

function describe(file: string, number: number, error: unknown): unknown {
  if (error instanceof TypeError) {
    return new CommandError(`${file} is not UTF-8, from about line ${number + 1} on`);
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return new CommandError(`there is no file ${file}`);
  if (code === 'EISDIR') return new CommandError(`${file} is a folder, not a file`);
  if (code === 'EACCES') return new CommandError(`${file} may not be read`);
  return error;
}
