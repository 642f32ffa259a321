import { LIMITS } from '@decision-ledger/contract/limits';
import type { UploadBody } from '@decision-ledger/contract/upload';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { UPLOAD_MEMBER } from '@decision-ledger/proof/upload';
import { Abridgement } from './abridge.js';

/** Makes what a field of a decision becomes, of the bytes that it stands for, as they come. */
export class RecordedValue {
  readonly #upload: UploadBody;
  readonly #decoder = new TextDecoder();
  readonly #abridgement: Abridgement | null;
  #head: Uint8Array = new Uint8Array();

  constructor(upload: UploadBody) {
    this.#upload = upload;
    this.#abridgement = isJson(upload.media_type) ? new Abridgement() : null;
  }

  push(bytes: Uint8Array): void {
    const missing = LIMITS.uploadHeadBytes - this.#head.length;
    if (missing > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, missing)]);
    this.#abridgement?.push(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Canonical JSON. */
  end(): string {
    const { sha256, size, media_type } = this.#upload;
    const head = readText(this.#head, this.#head.length < size);
    const reference = { sha256, size, media_type, ...(head !== null && { head }) };
    // The reference comes first, so that it is found without reading the value.
    const others = Object.entries(this.#abridgement?.end() ?? {}).filter(
      ([name]) => name > UPLOAD_MEMBER,
    );
    return canonicalJson({ ...Object.fromEntries(others), [UPLOAD_MEMBER]: reference });
  }
}

const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType);

/**
 * @param isCut whether the last character may be incomplete
 * @returns null for bytes that are no text
 */
function readText(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
