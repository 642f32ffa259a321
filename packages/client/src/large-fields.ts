import { LedgerApiError } from './errors.js';
import type { CallOptions } from './http.js';
import { LIMITS } from './limits.js';
import type { UploadedField, Uploads } from './resources/uploads.js';
import type { Json, JsonMembers } from './values/degrade.js';
import { markOmitted, omitted } from './values/omitted.js';
import { objectAt } from './values/payload.js';

export interface LargeFieldTools {
  readonly uploads: Pick<Uploads, 'send'>;
  /** Hashes bytes, as hexadecimal. */
  readonly sha256: (bytes: Uint8Array) => string;
}

/** A decision before it is sent. */
export interface Draft {
  readonly json: string;
  /** Its idempotency key, if it is not among its members. */
  readonly key?: string;
  /** Whether what an earlier call uploaded is gone. */
  readonly isRenewed: boolean;
}

/** The bytes of UTF-8 that a UTF-16 code unit takes at most. */
const MAX_BYTES_PER_UNIT = 3;
const UPLOADED = ['inputs', 'outputs'] as const;

/** Why nothing can be uploaded, now or later: then digest and head are recorded. */
const CANNOT_HOLD = new Set(['payload_too_large', 'forbidden', 'validation_error']);
/** An upload that expired, whose key has served for another one, or whose bytes were damaged. */
const GONE = new Set(['not_found', 'idempotency_conflict', 'validation_error']);

/** Makes decisions fit into requests: inputs and outputs that are too large for one are uploaded before. */
export class LargeFields {
  readonly #tools: LargeFieldTools;

  constructor(tools: LargeFieldTools) {
    this.#tools = tools;
  }

  /**
   * A decision as it is sent. After an interruption, the same call continues what was uploaded, in any process.
   * @throws LedgerApiError, LedgerConnectionError while the service cannot be reached
   */
  async fit({ json, key, isRenewed }: Draft, options: CallOptions): Promise<string> {
    if (json.length * MAX_BYTES_PER_UNIT <= LIMITS.fieldBytes) return json;
    const given: unknown = JSON.parse(json);
    if (!isMembers(given)) return json;
    const left: string[] = [];
    let decision = given;
    for (const field of UPLOADED) {
      const bytes = this.#tooLarge(given[field]);
      if (bytes === null) continue;
      const name = isRenewed ? null : `${key ?? String(given.idempotency_key)}:${field}`;
      const upload = await this.#upload(bytes, name, options);
      if (upload === null) left.push(`/${field}`);
      const instead = upload === null ? omitted(bytes, this.#tools.sha256) : { ...upload };
      decision = { ...decision, [field]: instead };
    }
    const fitted = this.#withoutLarge(decision, left);
    return fitted === given ? json : JSON.stringify(markOmitted(fitted, left));
  }

  /** The bytes of a value, if they are too many for a field. */
  #tooLarge(value: Json | undefined, limit: number = LIMITS.fieldBytes): Uint8Array | null {
    if (value === undefined) return null;
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    return bytes.length > limit ? bytes : null;
  }

  /**
   * @param name of an upload that is continued; null for a new one
   * @returns null if the service cannot hold it
   */
  async #upload(
    bytes: Uint8Array,
    name: string | null,
    options: CallOptions,
  ): Promise<UploadedField | null> {
    const { uploads, sha256 } = this.#tools;
    const keyed = name !== null && { idempotencyKey: sha256(new TextEncoder().encode(name)) };
    try {
      return await uploads.send(bytes, MEDIA_TYPE, { ...options, ...keyed });
    } catch (error) {
      if (name !== null && isOf(error, GONE)) return this.#upload(bytes, null, options);
      // Proxies limit the size of bodies with an answer of their own.
      const isTooLarge = error instanceof LedgerApiError && error.status === 413;
      if (isTooLarge || isOf(error, CANNOT_HOLD)) return null;
      throw error;
    }
  }

  /** Alternatives, and members of the metadata, cannot be uploaded. */
  #withoutLarge(decision: JsonMembers, left: string[]): JsonMembers {
    const { sha256 } = this.#tools;
    const alternatives = this.#tooLarge(decision.alternatives);
    if (alternatives !== null) left.push('/alternatives/0');
    const kept =
      alternatives === null
        ? decision
        : { ...decision, alternatives: [omitted(alternatives, sha256)] };
    if (this.#tooLarge(decision.metadata) === null) return kept;
    const metadata = Object.entries(objectAt(decision, 'metadata')).map(([name, value]) => {
      const bytes = this.#tooLarge(value, LIMITS.metadataMemberBytes);
      if (bytes === null) return [name, value];
      left.push(`/metadata/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
      return [name, omitted(bytes, sha256)];
    });
    return { ...kept, metadata: Object.fromEntries(metadata) };
  }
}

const MEDIA_TYPE = 'application/json';

function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOf(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof LedgerApiError && codes.has(error.code);
}
