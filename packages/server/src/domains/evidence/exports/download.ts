import { timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { FileStore } from '../../../platform/files/store.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { TokenKeys } from '../../../platform/keyring/keyring.js';
import type { Ledger } from '../../../platform/ledger.js';
import { credentialId, type Principal } from '../../../platform/principal.js';
import { hmac } from '../../../platform/secrets.js';
import { findLedger } from '../../access/organisations/index.js';
import { usableCredentials } from '../../access/sessions/index.js';
import { recordActivity } from '../../log/activity/index.js';
import { readExport } from './describe.js';
import { whyGone } from './expire.js';
import type { ExportRow } from './store/exports.js';

export interface DownloadTools {
  readonly db: Database;
  readonly files: FileStore;
}

export interface Download {
  readonly fileName: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly stream: Readable;
}

/** Who downloads, and how: with a key or session, or by a link, which anybody who has it can use. */
export interface Recipient {
  readonly actor: string;
  readonly through: 'credential' | 'link';
}

/**
 * The file of an export. The chain of activity records the download before the first byte. The caller must
 * read the stream to its end or destroy it.
 * @param exportId public
 * @throws LedgerError `not_found`, `export_not_ready`, `invalid_state` if it failed, `gone`
 */
export async function openDownload(
  ledger: Ledger,
  tools: DownloadTools,
  exportId: string,
  { actor, through }: Recipient,
): Promise<Download> {
  const row = await readExport(ledger, exportId);
  requireComplete(row);
  const reason = await whyGone(ledger, row);
  if (reason !== null) throw new LedgerError('gone', `the export has expired: ${reason}`);
  const found = row.file === null ? null : await tools.files.read(row.file);
  if (found === null || row.sha256 === null) {
    throw new LedgerError('gone', `the file of the export is missing: ${REMEDY}`);
  }
  const { export_type, export_id, range_start, range_end, sha256 } = row;
  await ledger
    .write((tx) =>
      recordActivity(tx, {
        type: 'export.downloaded',
        actor,
        subject: uuidToId('exp', export_id),
        data: { sha256, through },
      }),
    )
    .catch((error: unknown) => {
      found.stream.destroy();
      throw error;
    });
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const fileName = `${export_type}_${day(range_start)}_${day(range_end)}_${uuidToId('exp', export_id)}.zip`;
  return { fileName, bytes: found.bytes, sha256, stream: found.stream };
}

const REMEDY = 'request a new export';

function requireComplete({ status, reason }: ExportRow): void {
  if (status === 'pending' || status === 'running') {
    throw new LedgerError('export_not_ready', `the export is ${status}: poll GET /exports/{id}`);
  }
  if (status === 'failed') {
    throw new LedgerError('invalid_state', `the export failed: ${reason ?? REMEDY}`);
  }
  if (status === 'expired') {
    throw new LedgerError('gone', `the export has expired: ${reason ?? REMEDY}`);
  }
}

const VALID_SECONDS = 15 * 60;

/** Pre-signed links: each downloads one export without a key for a quarter of an hour. */
export interface DownloadLinks {
  /** Path and query, without the address of the service. */
  make(principal: Principal, exportId: string): string;
  /**
   * @param params of the path, including `id`
   * @returns the principal of the key or session that requested the link
   * @throws LedgerError `forbidden` if the link was altered or has expired, or its key or session is not
   *   valid
   */
  read(params: unknown, query: unknown): Promise<Principal>;
}

/** @param keys sign the links */
export function downloadLinks(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  keys: TokenKeys,
): DownloadLinks {
  const sign = (key: Buffer, ...parts: string[]) => hmac(key, JSON.stringify(parts));
  return {
    make(principal, exportId) {
      const { scope } = principal;
      const credential = credentialId(principal);
      const ledger = uuidToId('led', scope.ledgerId);
      const expires = String(Math.floor(clock.now() / 1000) + VALID_SECONDS);
      const signature = sign(keys.current, ledger, credential, exportId, expires).toString(
        'base64url',
      );
      const query = new URLSearchParams({ ledger, key_id: credential, expires, signature });
      return `/api/v1/exports/${exportId}/download?${query}`;
    },
    async read(params, query) {
      const [ledger, keyId] = [textOf(query, 'ledger'), textOf(query, 'key_id')];
      const expires = textOf(query, 'expires');
      const signature = textOf(query, 'signature');
      const isOwn = keys.all.some((key) =>
        isSame(signature, sign(key, ledger, keyId, textOf(params, 'id'), expires)),
      );
      const ledgerId = idToUuid('led', ledger);
      if (!isOwn || ledgerId === null) throw refused('was altered');
      if (Number(expires) * 1000 <= clock.now()) {
        throw refused('has expired');
      }
      const own = await findLedger(db, ledgerId);
      const usable = own === null ? null : await usableCredentials(own, [keyId]);
      const principal = usable?.get(keyId);
      if (principal === undefined) {
        throw refused('is not valid because its key or session was revoked or has expired');
      }
      return principal;
    },
  };
}

const refused = (problem: string) =>
  new LedgerError('forbidden', `the download link ${problem}: GET /exports/{id} returns a new one`);

function isSame(text: string, expected: Buffer): boolean {
  const given = Buffer.from(text, 'base64url');
  // Node's decoder skips invalid characters, so encoding again must return the same text.
  const isCanonical = given.toString('base64url') === text && given.length === expected.length;
  return isCanonical && timingSafeEqual(given, expected);
}

function textOf(values: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(values), name);
  return typeof value === 'string' ? value : '';
}
