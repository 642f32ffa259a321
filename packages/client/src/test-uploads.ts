import type { FetchRequest } from './runtime.js';

/** What is uploaded to the ledger in memory. */
interface Upload {
  readonly size: number;
  readonly bytes: Uint8Array;
  offset: number;
}

const CHUNK_BYTES = 1024 * 1024;

/** The uploads of the ledger in memory. */
export class TestUploads {
  readonly #uploads: Upload[] = [];
  readonly #byKey = new Map<string, number>();

  /**
   * Answers a request about uploads.
   * @param url of the request
   * @returns null if there is no such upload, or no such request
   */
  answer(url: URL, { method, headers, body }: FetchRequest): object | null {
    const { pathname } = url;
    if (method === 'POST') return this.#create(String(body), headers['idempotency-key']);
    const at = Number(pathname.slice(pathname.lastIndexOf('_') + 1));
    const upload = this.#uploads[at];
    if (upload === undefined) return null;
    const isNext = Number(url.searchParams.get('offset')) === upload.offset;
    if (method === 'PATCH' && isNext && typeof body === 'object') {
      upload.bytes.set(body, upload.offset);
      upload.offset += body.length;
    }
    return describe(at, upload);
  }

  #create(body: string, key: string | undefined): object | null {
    const size = Number(Reflect.get(JSON.parse(body), 'size'));
    const known = key === undefined ? undefined : this.#byKey.get(key);
    const at = known ?? this.#uploads.length;
    const upload = this.#uploads[at] ?? { size, bytes: new Uint8Array(size), offset: 0 };
    this.#uploads[at] = upload;
    if (key !== undefined) this.#byKey.set(key, at);
    return describe(at, upload);
  }

  /** A decision with what was uploaded in the place of the fields that name it. */
  resolve(decision: unknown): unknown {
    if (typeof decision !== 'object' || decision === null) return decision;
    const fields = Object.entries(decision).map(([name, value]) => [name, this.#valueOf(value)]);
    return Object.fromEntries(fields);
  }

  #valueOf(value: unknown): unknown {
    const named =
      typeof value === 'object' && value !== null ? Reflect.get(value, '$upload') : null;
    const upload = typeof named === 'string' ? this.#uploads[Number(named.slice(4))] : undefined;
    if (upload === undefined) return value;
    const given: unknown = JSON.parse(new TextDecoder().decode(upload.bytes));
    return given;
  }
}

function describe(at: number, { size, offset }: Upload) {
  return {
    ...{ upload_id: `upl_${at}`, size, offset, chunk_bytes: CHUNK_BYTES },
    is_complete: offset === size,
  };
}
