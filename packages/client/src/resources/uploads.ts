import type { AppendQuery, Upload, UploadBody } from '../api/decision.js';
import { type Api, type CreateOptions, segment } from '../api.js';
import { sha256 } from '../digest.js';
import { LedgerApiError } from '../errors.js';
import type { CallOptions } from '../http.js';
import { LIMITS } from '../limits.js';
import { isTransient } from '../retry.js';

/** Interruptions one after the other without a further chunk: about two minutes. */
const MAX_FAILURES = 9;

/** What stands in a decision for an upload, as its inputs or outputs. */
export interface UploadedField {
  readonly $upload: string;
}

/** Inputs and outputs that are too large for a request. */
export class Uploads {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Makes room for bytes that a decision will name. */
  create(body: UploadBody, options: CreateOptions = {}): Promise<Upload> {
    return this.#api.create('/uploads', body, options);
  }

  /** An upload, with the offset at which its next chunk begins. */
  get(id: string, options: CallOptions = {}): Promise<Upload> {
    return this.#api.get(`/uploads/${segment(id)}`, {}, options);
  }

  /** Appends the next chunk. Every chunk but the last has exactly `chunk_bytes` bytes. */
  append(
    id: string,
    query: AppendQuery,
    bytes: Uint8Array,
    options: CallOptions = {},
  ): Promise<Upload> {
    return this.#api.append(`/uploads/${segment(id)}`, query, new Uint8Array(bytes), options);
  }

  /**
   * Sends all bytes, and continues after an interruption where the service has them. With an idempotency key, so does a
   * later call.
   * @param mediaType without parameters, such as `application/json`
   * @returns what stands for them in a decision: `record({ outputs: await uploads.send(…), … })`
   */
  async send(
    bytes: Uint8Array,
    mediaType: string,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<UploadedField> {
    const body = { size: bytes.length, sha256: await sha256(bytes), media_type: mediaType };
    const keyed = idempotencyKey === undefined ? options : { ...options, idempotencyKey };
    let upload = await this.create(body, keyed);
    for (let failed = 0; !upload.is_complete; ) {
      try {
        const known = failed === 0 ? upload : await this.get(upload.upload_id, options);
        upload = known.is_complete ? known : await this.#appendTo(known, bytes, options);
        failed = 0;
      } catch (error) {
        options.signal?.throwIfAborted();
        failed += 1;
        if (failed === MAX_FAILURES || !isInterruption(error)) throw error;
        const delay = Math.min(LIMITS.maxRetryMs, LIMITS.firstRetryMs * 2 ** failed);
        await this.#api.pause(delay, options.signal);
      }
    }
    return { $upload: upload.upload_id };
  }

  #appendTo(
    { upload_id, offset, chunk_bytes }: Upload,
    bytes: Uint8Array,
    options: CallOptions,
  ): Promise<Upload> {
    const chunk = bytes.subarray(offset, offset + chunk_bytes);
    return this.append(upload_id, { offset }, chunk, options);
  }

  /** The bytes that the inputs or outputs of a decision stand for. */
  read(
    decisionId: string,
    field: 'inputs' | 'outputs',
    options: CallOptions = {},
  ): Promise<Uint8Array> {
    const path = `/decisions/${segment(decisionId)}/uploads/${segment(field)}`;
    return this.#api.download(path, options);
  }
}

/** Whether a chunk may have arrived, or may arrive next time. */
const isInterruption = (error: unknown): boolean =>
  isTransient(error) || (error instanceof LedgerApiError && error.code === 'conflict');
