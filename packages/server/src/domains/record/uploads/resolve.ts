import type { DecisionBody } from '@decision-ledger/contract/decision';
import { invalidField, type LedgerError } from '@decision-ledger/contract/errors';
import { UPLOADABLE_FIELDS } from '@decision-ledger/contract/upload';
import { parseJson } from '@decision-ledger/proof/gate';
import { UPLOAD_MEMBER } from '@decision-ledger/proof/upload';
import { idToUuid } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectUploads, type UploadClaim, type UploadRow } from './store/uploads.js';

/** A decision with what its fields become, and the uploads that they take. */
export interface ResolvedBody<Body extends DecisionBody> {
  readonly body: Body;
  readonly claims: readonly UploadClaim[];
}

const NO_CLAIMS: readonly UploadClaim[] = [];

/**
 * Puts what was uploaded in the place of the fields that name uploads.
 * @param path of each body in the request, for error messages
 * @returns for each body, the error that refuses it or the body to record
 */
export async function resolveUploads<Body extends DecisionBody>(
  ledger: LedgerReader,
  bodies: readonly Body[],
  path: (index: number) => string,
): Promise<readonly (ResolvedBody<Body> | LedgerError)[]> {
  const claims = bodies.map(claimsIn);
  const ids = claims.flatMap((own) => own.map(({ uploadId }) => uploadId));
  if (ids.length === 0) return bodies.map((body) => ({ body, claims: NO_CLAIMS }));
  const rows = await selectUploads(ledger, ids);
  const uploads = new Map(rows.map((row) => [row.upload_id, row] as const));
  return bodies.map((body, index) =>
    resolve(body, claims[index] ?? NO_CLAIMS, uploads, path(index)),
  );
}

function claimsIn(body: DecisionBody): readonly UploadClaim[] {
  if (body.inputs[UPLOAD_MEMBER] === undefined && body.outputs[UPLOAD_MEMBER] === undefined) {
    return NO_CLAIMS;
  }
  return UPLOADABLE_FIELDS.flatMap((field) => {
    const named = body[field][UPLOAD_MEMBER];
    const uuid = typeof named === 'string' ? idToUuid('upl', named) : null;
    return uuid === null ? [] : [{ uploadId: uuid, field }];
  });
}

function resolve<Body extends DecisionBody>(
  body: Body,
  claims: readonly UploadClaim[],
  uploads: ReadonlyMap<string, UploadRow>,
  path: string,
): ResolvedBody<Body> | LedgerError {
  let resolved = body;
  for (const { field, uploadId } of claims) {
    if (Object.keys(body[field]).length > 1) {
      return invalidField(path + field, `must hold nothing beside ${UPLOAD_MEMBER}`);
    }
    const value = uploads.get(uploadId)?.value;
    if (value == null) {
      return invalidField(path + field, 'names no complete upload of this ledger');
    }
    resolved = { ...resolved, [field]: readObject(value) };
  }
  return { body: resolved, claims };
}

function readObject(text: string): DecisionBody['inputs'] {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error('the value of an upload is no object');
}
