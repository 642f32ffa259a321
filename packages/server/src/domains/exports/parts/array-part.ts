import type { Part, Piece } from './part.js';

/** Records that come by the page, each with the place behind it. */
export interface Pages<Item> {
  /** @param after place of the last record of the page before; null for the first page */
  page(after: string | null): Promise<readonly Item[]>;
  place(item: Item): string;
  /** JSON on one line; null leaves the record out. */
  line(item: Item): string | null;
}

const OPEN = 'open';
const CLOSED = 'closed';

/**
 * A JSON array with one record a line. What a piece tells is whether a record stands in the array
 * already, and the place behind its last one.
 */
export function arrayPart<Item>(name: string, pages: Pages<Item>): Part {
  return {
    name,
    async *pieces(from) {
      if (from === CLOSED) return;
      let state = from === null ? { isEmpty: true, after: null } : readState(from);
      if (from === null) yield { text: '[', next: OPEN, records: 0 };
      for (;;) {
        const items = await pages.page(state.after);
        const last = items.at(-1);
        if (last === undefined) break;
        const lines = items.map((item) => pages.line(item)).filter((line) => line !== null);
        const after = pages.place(last);
        const piece = pieceOf(lines, state.isEmpty, after);
        state = { isEmpty: state.isEmpty && lines.length === 0, after };
        yield piece;
      }
      yield { text: '\n]\n', next: CLOSED, records: 0 };
    },
  };
}

function pieceOf(lines: readonly string[], isFirst: boolean, after: string): Piece {
  const isEmpty = isFirst && lines.length === 0;
  const text = lines.length === 0 ? '' : `${isFirst ? '' : ','}\n${lines.join(',\n')}`;
  return { text, next: JSON.stringify([isEmpty, after]), records: lines.length };
}

function readState(from: string): { isEmpty: boolean; after: string | null } {
  if (from === OPEN) return { isEmpty: true, after: null };
  const state: unknown = JSON.parse(from);
  if (!Array.isArray(state) || typeof state[0] !== 'boolean' || typeof state[1] !== 'string') {
    throw new Error('the place of a part is none');
  }
  return { isEmpty: state[0], after: state[1] };
}
