import { timingSafeEqual } from 'node:crypto';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { DownloadQuery } from '@decision-ledger/contract/export';
import type { Clock } from '../../platform/clock.js';
import { idToUuid, uuidToId } from '../../platform/ids.js';
import type { TokenKeys } from '../../platform/keyring/keyring.js';
import type { Scope } from '../../platform/scope.js';
import { mac } from '../../platform/secrets.js';

const VALID_SECONDS = 15 * 60;
const MAC_BYTES = 32;

/** Makes links that open one export without a key for a quarter of an hour, and reads them. */
export interface DownloadLinks {
  /** Path and query behind the address of the service. */
  make(scope: Pick<Scope, 'ledgerId'>, exportId: string): string;
  /**
   * @returns UUID of the ledger that a link opens the export of
   * @throws LedgerError `forbidden` for a link that is bent or expired
   */
  read(exportId: string, query: DownloadQuery): string;
}

/** @param keys that links are signed with */
export function downloadLinks(keys: TokenKeys, clock: Clock): DownloadLinks {
  const sign = (key: Buffer, ledger: string, exportId: string, expires: string) =>
    mac(key, JSON.stringify([ledger, exportId, expires]));
  return {
    make({ ledgerId }, exportId) {
      const ledger = uuidToId('led', ledgerId);
      const expires = String(Math.floor(clock.now() / 1000) + VALID_SECONDS);
      const signature = sign(keys.current, ledger, exportId, expires).toString('base64url');
      const query = new URLSearchParams({ ledger, expires, signature });
      return `/api/v1/exports/${exportId}/download?${query}`;
    },
    read(exportId, { ledger = '', expires = '', signature = '' }) {
      const given = Buffer.from(signature, 'base64url');
      const ledgerId = idToUuid('led', ledger);
      // Node's decoder skips what it does not know, so the way back must give the same text.
      const isWhole = given.toString('base64url') === signature && given.length === MAC_BYTES;
      const isOwn =
        isWhole &&
        keys.all.some((key) => timingSafeEqual(given, sign(key, ledger, exportId, expires)));
      if (!isOwn || ledgerId === null) {
        throw new LedgerError('forbidden', 'the download link is not as it was made');
      }
      if (Number(expires) * 1000 <= clock.now()) {
        const remedy = 'GET /exports/{id} gives a fresh one';
        throw new LedgerError('forbidden', `the download link has expired: ${remedy}`);
      }
      return ledgerId;
    },
  };
}
