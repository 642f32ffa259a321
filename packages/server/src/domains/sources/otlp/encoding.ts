import { LedgerError } from '@decision-ledger/contract/errors';

/** How a request is written; its answer is written alike. */
export type OtlpEncoding = 'protobuf' | 'json';

export const CONTENT_TYPE: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** @returns null for a content type that is not OTLP/HTTP */
export function encodingOf(contentType: string | undefined): OtlpEncoding | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === CONTENT_TYPE.protobuf) return 'protobuf';
  return type === CONTENT_TYPE.json ? 'json' : null;
}

/** @throws LedgerError `unsupported_media_type` */
export function requireEncoding(contentType: string | undefined): OtlpEncoding {
  const encoding = encodingOf(contentType);
  if (encoding !== null) return encoding;
  throw new LedgerError(
    'unsupported_media_type',
    'send OTLP/HTTP with Content-Type: application/x-protobuf or application/json',
  );
}
