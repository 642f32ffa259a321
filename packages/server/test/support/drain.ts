import type { Part, Piece } from '@decision-ledger/server/domains/exports/parts/part';
import type { PartsInput } from '@decision-ledger/server/domains/exports/parts/parts-input';
import type { Client } from './client.js';
import { type Instance, scopeOf } from './service.js';

export async function piecesOf(part: Part, from: string | null = null): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of part.pieces(from)) pieces.push(piece);
  return pieces;
}

/** The whole file. */
export async function drain(part: Part): Promise<string> {
  return (await piecesOf(part)).map(({ text }) => text).join('');
}

/** The same, by taking one piece and then beginning anew behind it, over and over. */
export async function drainBrokenOff(part: Part): Promise<string> {
  let text = '';
  let from: string | null = null;
  for (;;) {
    const piece: Piece | undefined = await firstOf(part.pieces(from));
    if (piece === undefined) return text;
    text += piece.text;
    from = piece.next;
  }
}

async function firstOf(pieces: AsyncIterable<Piece>): Promise<Piece | undefined> {
  for await (const piece of pieces) return piece;
  return undefined;
}

const VALID_CHAINS: PartsInput['verification'] = {
  is_valid: true,
  records_checked: 7,
  first_broken_link: null,
  erased_fields: 0,
  verification_timestamp: '2026-04-16T09:30:00.000Z',
  activity: { is_valid: true, records_checked: 9, first_broken_link: null },
};

export async function partsInput(
  bed: Instance,
  client: Client,
  more: Partial<PartsInput> = {},
): Promise<PartsInput> {
  const { db, clock } = bed.service;
  return {
    ...{ db, clock, scope: await scopeOf(bed, client) },
    range: { start: Date.UTC(2026, 0), end: Date.UTC(2027, 0) },
    lastSeq: Number.MAX_SAFE_INTEGER,
    verification: VALID_CHAINS,
    secret: Buffer.alloc(32, 3),
    signal: new AbortController().signal,
    ...more,
  };
}
