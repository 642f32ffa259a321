import { MAX_UPLOAD_FILES, uploadFileName } from '@decision-ledger/proof/bundle/format';
import { sha256Stream } from '@decision-ledger/proof/hash';
import { uuidToId } from '../../../platform/ids.js';
import { SealError } from '../../../platform/secrets.js';
import { selectDecisionsInRange } from '../../record/decisions/index.js';
import {
  bytesOf,
  selectTakenUploads,
  type TakenUpload,
  UploadError,
} from '../../record/uploads/index.js';
import { type ExportRun, shownRange } from './export-run.js';
import type { FileWriter } from './file-writer.js';

/** What decisions of the bundle stand for cannot be in it. */
export class LeftOutError extends Error {
  override readonly name = 'LeftOutError';
}

const PAGE = 100;

/**
 * Writes what the shown decisions stand for, a file for each field.
 * @returns the names of the files, in the order of the chain
 * @throws LeftOutError
 */
export async function copyUploads(run: ExportRun, writer: FileWriter): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const upload of shownUploads(run)) {
    const name = uploadFileName(uuidToId('dec', upload.decision_id), upload.field);
    names.push(name);
    if (names.length > MAX_UPLOAD_FILES) {
      throw new LeftOutError(
        `decisions of the range stand for more than ${MAX_UPLOAD_FILES} uploads: request shorter ranges`,
      );
    }
    await writer.writeBytes(name, wholeBytes(run, name, upload));
  }
  return names;
}

async function* shownUploads(run: ExportRun): AsyncGenerator<TakenUpload> {
  const { ledger, snapshot } = run;
  let after: Pick<TakenUpload, 'seq' | 'field'> = { seq: snapshot.firstSeq - 1, field: 'outputs' };
  for (;;) {
    const page = await selectTakenUploads(ledger, {
      after,
      lastSeq: snapshot.lastSeq,
      limit: PAGE,
    });
    const ids = page.map(({ decision_id }) => decision_id);
    const shown = new Set(await selectDecisionsInRange(ledger, shownRange(run), ids));
    for (const upload of page) if (shown.has(upload.decision_id)) yield upload;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** @throws LeftOutError if bytes are missing or altered */
async function* wholeBytes(
  { ledger, keyring }: ExportRun,
  name: string,
  upload: TakenUpload,
): AsyncGenerator<Buffer> {
  const digest = sha256Stream();
  try {
    for await (const bytes of bytesOf(ledger, keyring, upload, { start: 0, end: upload.size })) {
      digest.update(bytes);
      yield bytes;
    }
    if (digest.hex() !== upload.sha256) throw new UploadError('it does not have its digest');
  } catch (error) {
    if (!(error instanceof UploadError || error instanceof SealError)) throw error;
    throw new LeftOutError(`the upload ${name} cannot be read: ${error.message}`, { cause: error });
  }
}
