import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Part } from './parts/part.js';
import type { Checkpoint } from './work-folder.js';

/** Pieces between two checkpoints: what a restart may have to make again. */
const PIECES = 20;

const NOTHING: Checkpoint = { bytes: 0, records: 0, next: null, isWhole: false };

/**
 * Makes a file, or the rest of it. What a checkpoint tells is on the disk before it is told.
 * @param known how far an earlier try came
 * @param onCheckpoint a rejection ends the work
 * @param signal ends the work with its reason
 */
export async function writePart(
  folder: string,
  part: Part,
  known: Checkpoint = NOTHING,
  onCheckpoint: (checkpoint: Checkpoint) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  if (known.isWhole) return;
  const file = await open(join(folder, part.name), 'a', 0o600);
  try {
    await file.truncate(known.bytes);
    let { bytes, records, next } = known;
    let pieces = 0;
    for await (const piece of part.pieces(next)) {
      signal.throwIfAborted();
      const text = Buffer.from(piece.text, 'utf8');
      await file.appendFile(text);
      bytes += text.length;
      ({ next } = piece);
      records += piece.records;
      pieces += 1;
      if (pieces % PIECES !== 0) continue;
      await file.datasync();
      await onCheckpoint({ bytes, records, next, isWhole: false });
    }
    await file.datasync();
    await onCheckpoint({ bytes, records, next, isWhole: true });
  } finally {
    await file.close();
  }
}
