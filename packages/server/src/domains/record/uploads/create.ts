import { LedgerError, unavailable } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Settings } from '@decision-ledger/contract/settings';
import type { Upload, UploadBody } from '@decision-ledger/contract/upload';
import { lockHead } from '../../../platform/chain/head.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { describeUpload } from './describe.js';
import { makeSealedKey } from './seal.js';
import { dropExpired, insertUpload, sumOpen } from './store/uploads.js';

export interface CreateTools {
  readonly keyring: Keyring;
  readonly settings: { get(scope: Scope): Promise<Settings> };
}

const HOUR_MS = 3_600_000;

/**
 * Makes room for bytes that a decision will name.
 * @throws LedgerError `payload_too_large`, `unavailable` while too much waits for decisions
 */
export async function createUpload(
  tx: LedgerWriter,
  { keyring, settings }: CreateTools,
  body: UploadBody,
): Promise<Upload> {
  const { max_upload_bytes } = (await settings.get(tx.scope)).recording;
  if (body.size > max_upload_bytes) {
    throw new LedgerError(
      'payload_too_large',
      `an upload may have at most ${max_upload_bytes} bytes (recording.max_upload_bytes in the settings)`,
    );
  }
  // One at a time, so that the room is not given twice.
  await lockHead(tx, 'activity');
  const now = tx.clock.now();
  await dropExpired(tx, now);
  const open = await sumOpen(tx);
  if (open.uploads >= LIMITS.openUploads || open.bytes + body.size > LIMITS.openUploadBytes) {
    throw unavailable('too many uploads wait for their decisions: record these first');
  }
  const upload_id = tx.ids.uuid();
  const sealed_key = makeSealedKey(keyring, tx.random, {
    ledgerId: tx.ledgerId,
    uploadId: upload_id,
  });
  const expires_at = now + LIMITS.uploadHours * HOUR_MS;
  await insertUpload(tx, { ...body, upload_id, sealed_key, createdAt: now, expiresAt: expires_at });
  return describeUpload({ ...body, upload_id, received: 0, value: null, seq: null, expires_at });
}
