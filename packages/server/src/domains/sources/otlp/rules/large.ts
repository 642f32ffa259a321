import { markOmitted, objectAt, omitted } from '@decision-ledger/client/values';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LIMITS } from '@decision-ledger/contract/limits';
import { UPLOADABLE_FIELDS, type UploadableField } from '@decision-ledger/contract/upload';
import { sha256Bytes } from '@decision-ledger/proof/hash';

/** What stands for a field that is too large for a decision. */
export interface LargeField {
  readonly field: UploadableField;
  readonly bytes: Buffer;
  readonly mediaType: string;
}

export type WholeTexts = Readonly<Partial<Record<UploadableField, string>>>;

/**
 * The fields of a decision that are too large for it.
 * @param texts the fields that are nothing but one text: the text itself is uploaded
 */
export function largeFields(body: DecisionBody, texts: WholeTexts): LargeField[] {
  return UPLOADABLE_FIELDS.flatMap((field) => {
    const text = texts[field];
    const bytes = Buffer.from(text ?? JSON.stringify(body[field]));
    if (bytes.length <= LIMITS.payloadFieldBytes) return [];
    const isJson = text === undefined || /^\s*[[{]/.test(text);
    return [{ field, bytes, mediaType: isJson ? 'application/json' : 'text/plain' }];
  });
}

/** The digest of bytes, as hexadecimal. */
export const sha256 = (bytes: Uint8Array): string =>
  Buffer.from(sha256Bytes(bytes)).toString('hex');

/** The decision with digest and head of a field that no upload may hold. */
export function withoutLarge(body: DecisionBody, { field, bytes }: LargeField): DecisionBody {
  const { metadata = {} } = body;
  const marked = markOmitted({ metadata }, [`/${field}`]);
  return { ...body, [field]: omitted(bytes, sha256), metadata: objectAt(marked, 'metadata') };
}
