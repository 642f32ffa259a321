import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportRun } from './export-run.js';
import type { BundlePart } from './parts/part.js';
import { type ActivityEnd, selectActivityEnd } from './store/chains.js';
import { updateProgress } from './store/exports.js';
import type { Checkpoint, WorkState } from './work-folder.js';

/** Pieces between two checkpoints; a restart may have to write them again. */
const CHECKPOINT_PIECES = 20;

const NOTHING: Checkpoint = { bytes: 0, records: 0, next: null, isWhole: false };

/** The export is no longer running: another process completed it, or it failed. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Writes files into the work folder, with checkpoints in the folder and the progress in the row. */
export class FileWriter {
  readonly #run: ExportRun;
  readonly #total: number;
  #state: WorkState;
  /** Records written, as the row has it; null before this attempt wrote it. */
  #reported: number | null = null;

  constructor(run: ExportRun) {
    const { snapshot, folder } = run;
    const { decisions, firstSeq, lastSeq, since } = snapshot;
    this.#run = run;
    this.#total = decisions + (lastSeq - firstSeq + 1) + since;
    this.#state = folder.state ?? { snapshot, activitySeq: null, parts: {} };
  }

  /**
   * Writes a file or the rest of it. Bytes are synced to disk before a checkpoint counts them.
   * @throws Superseded; the reason of the run's signal
   */
  async write(name: string, part: BundlePart): Promise<void> {
    const { folder, signal } = this.#run;
    const known = this.#state.parts[name] ?? NOTHING;
    if (known.isWhole) return;
    const file = await open(join(folder.path, name), 'a', 0o600);
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
        if (pieces % CHECKPOINT_PIECES !== 0) continue;
        await file.datasync();
        await this.#checkpoint(name, { bytes, records, next, isWhole: false });
      }
      await file.datasync();
      await this.#checkpoint(name, { bytes, records, next, isWhole: true });
    } finally {
      await file.close();
    }
  }

  /**
   * Writes a file as its bytes come; one that was not finished is written anew.
   * @throws the reason of the run's signal
   */
  async writeBytes(name: string, source: AsyncIterable<Buffer>): Promise<void> {
    const { folder, signal } = this.#run;
    if (this.#state.parts[name]?.isWhole === true) return;
    const file = await open(join(folder.path, name), 'w', 0o600);
    try {
      let bytes = 0;
      for await (const piece of source) {
        signal.throwIfAborted();
        await file.appendFile(piece);
        bytes += piece.length;
      }
      await file.datasync();
      await this.#checkpoint(name, { ...NOTHING, bytes, isWhole: true });
    } finally {
      await file.close();
    }
  }

  /** Fixes the end of the chain of activity in this bundle; later attempts keep it. */
  async fixActivityEnd(): Promise<ActivityEnd> {
    const { ledger } = this.#run;
    const { seq, now } = await selectActivityEnd(ledger);
    if (this.#state.activitySeq === null) await this.#save({ ...this.#state, activitySeq: seq });
    return { seq: this.#state.activitySeq ?? seq, now };
  }

  #checkpoint(name: string, checkpoint: Checkpoint): Promise<void> {
    const parts = { ...this.#state.parts, [name]: checkpoint };
    return this.#save({ ...this.#state, parts });
  }

  async #save(state: WorkState): Promise<void> {
    const { ledger, row, folder, snapshot } = this.#run;
    this.#state = state;
    await folder.save(state);
    const written = Object.values(state.parts).reduce((sum, { records }) => sum + records, 0);
    if (written === this.#reported) return;
    this.#reported = written;
    const progress = { decisions: snapshot.decisions, written, total: this.#total };
    if (!(await ledger.write((tx) => updateProgress(tx, row.export_id, progress)))) {
      throw new Superseded('the export is no longer running');
    }
  }
}
