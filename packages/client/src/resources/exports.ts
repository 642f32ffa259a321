import type { Activity, ActivityPage } from '../api/chain.js';
import type { CustodyQuery, Export, ExportBody, ExportPage, ExportQuery } from '../api/export.js';
import { type Api, type CreateOptions, segment } from '../api.js';
import { sha256 } from '../digest.js';
import { LedgerExportError } from '../errors.js';
import type { CallOptions } from '../http.js';
import { type PagedList, pagedList } from '../paging.js';

/** The longest delay between two looks at an export, in ms. */
const MAX_POLL_MS = 5_000;
const FIRST_POLL_MS = 250;

/** An export and its file. */
export interface DownloadedExport {
  readonly export: Export;
  /** The ZIP archive. Its SHA-256 is that of the export. */
  readonly archive: Uint8Array;
}

/** Exports: signed archives of evidence. */
export class Exports {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Requests an export. */
  create(body: ExportBody, options: CreateOptions = {}): Promise<Export> {
    return this.#api.create('/exports', body, options);
  }

  /** Newest first. */
  list(query: ExportQuery = {}, options: CallOptions = {}): PagedList<ExportPage, Export> {
    return pagedList<ExportPage, 'exports'>(this.#api, '/exports', 'exports', query, options);
  }

  /** An export, with its progress and its link. */
  get(id: string, options: CallOptions = {}): Promise<Export> {
    return this.#api.get(`/exports/${segment(id)}`, {}, options);
  }

  /** Who requested, made and downloaded an export: newest first. */
  custody(
    id: string,
    query: CustodyQuery = {},
    options: CallOptions = {},
  ): PagedList<ActivityPage, Activity> {
    const path = `/exports/${segment(id)}/custody`;
    return pagedList<ActivityPage, 'activity'>(this.#api, path, 'activity', query, options);
  }

  /** The file of a complete export. A large one is better read from its `download_url`. */
  download(id: string, options: CallOptions = {}): Promise<Uint8Array> {
    return this.#api.download(`/exports/${segment(id)}/download`, options);
  }

  /**
   * Waits until an export is complete; end the wait with a signal.
   * @throws LedgerExportError if it failed or has expired
   */
  async wait(id: string, options: CallOptions = {}): Promise<Export> {
    for (let delay = FIRST_POLL_MS; ; delay = Math.min(MAX_POLL_MS, delay * 2)) {
      const found = await this.get(id, options);
      if (found.status === 'complete') return found;
      if (found.status === 'failed' || found.status === 'expired') {
        throw new LedgerExportError(id, found.status, found.reason ?? 'no reason was given');
      }
      await this.#api.pause(delay, options.signal);
    }
  }

  /**
   * Waits for an export, or requests one and waits for it, and downloads its file.
   * @param what the id of an export, or what to export
   * @throws LedgerExportError if it failed, has expired, or its file has another checksum
   */
  async waitAndDownload(
    what: string | ExportBody,
    options: CallOptions = {},
  ): Promise<DownloadedExport> {
    const id = typeof what === 'string' ? what : (await this.create(what, options)).export_id;
    const done = await this.wait(id, options);
    const archive = await this.download(id, options);
    const sum = await sha256(archive);
    if (done.sha256 !== undefined && done.sha256 !== sum) {
      throw new LedgerExportError(id, 'damaged', `its SHA-256 is ${sum}, not ${done.sha256}`);
    }
    return { export: done, archive };
  }
}
