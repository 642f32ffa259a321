import { isUploadFileName, uploadFileName } from '@decision-ledger/proof/bundle/format';
import type { ListedFile, RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { uploadIn } from '@decision-ledger/proof/upload';
import type { FieldRecord } from './decision-record.js';

/**
 * What the decisions of a bundle stand for, compared with the files that its manifest lists. That these have the listed
 * digests is checked when they are read.
 */
export class UploadFiles {
  readonly #unstated: Map<string, ListedFile>;

  constructor({ files }: Pick<RecordsManifest, 'files'>) {
    const uploads = files.filter(({ name }) => isUploadFileName(name));
    this.#unstated = new Map(uploads.map((file) => [file.name, file]));
  }

  /** @returns what is wrong with the file of a field; null if nothing is, or the field stands for no file */
  problemOf(decisionId: string, { name, value }: FieldRecord): string | null {
    const upload = uploadIn(value);
    if (upload === null) return null;
    const file = uploadFileName(decisionId, name);
    const listed = this.#unstated.get(file);
    this.#unstated.delete(file);
    if (listed === undefined) return `${name} stands for an upload, but there is no file ${file}.`;
    if (listed.sha256 === upload.sha256 && listed.bytes === upload.size) return null;
    return `${name} stands for ${upload.size} bytes with the SHA-256 ${upload.sha256}, but ${file} is another file.`;
  }

  /** Files that no decision stands for. Call after the last decision. */
  unstated(): Iterable<string> {
    return this.#unstated.keys();
  }
}
