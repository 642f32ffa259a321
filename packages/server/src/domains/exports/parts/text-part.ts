import type { Part } from './part.js';

/** A short file. */
export function textPart(name: string, text: string): Part {
  return {
    name,
    async *pieces() {
      yield { text, next: '', records: 0 };
    },
  };
}
