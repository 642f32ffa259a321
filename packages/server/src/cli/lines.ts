import type { Input } from './input.js';
import { CommandError } from './output.js';

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
