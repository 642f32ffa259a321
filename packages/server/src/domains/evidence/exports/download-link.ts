import { timingSafeEqual } from 'node:crypto';
import { LedgerError } from '@decision-ledger/contract/errors';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { TokenKeys } from '../../../platform/keyring/keyring.js';
import type { Actor, Principal } from '../../../platform/principal.js';
import { mac } from '../../../platform/secrets.js';
import { usablePrincipals } from '../../access/keys/index.js';

const VALID_SECONDS = 15 * 60;

/** Makes links that open one export without a key for a quarter of an hour, and reads them. */
export interface DownloadLinks {
  /** Path and query behind the address of the service. */
  make(actor: Actor, exportId: string): string;
  /**
   * @param params of the path, `id` among them
   * @returns whom the key stands for that asked for the link
   * @throws LedgerError `forbidden` for a link that is bent or expired, or whose key is no longer good
   */
  read(params: unknown, query: unknown): Promise<Principal>;
}

/** @param keys that links are signed with */
export function downloadLinks(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  keys: TokenKeys,
): DownloadLinks {
  const sign = (key: Buffer, ...parts: string[]) => mac(key, JSON.stringify(parts));
  return {
    make({ scope, actor }, exportId) {
      const ledger = uuidToId('led', scope.ledgerId);
      const expires = String(Math.floor(clock.now() / 1000) + VALID_SECONDS);
      const signature = sign(keys.current, ledger, actor, exportId, expires).toString('base64url');
      const query = new URLSearchParams({ ledger, key_id: actor, expires, signature });
      return `/api/v1/exports/${exportId}/download?${query}`;
    },
    async read(params, query) {
      const [ledger, keyId] = [textOf(query, 'ledger'), textOf(query, 'key_id')];
      const expires = textOf(query, 'expires');
      const signature = textOf(query, 'signature');
      const isOwn = keys.all.some((key) =>
        isSame(signature, sign(key, ledger, keyId, textOf(params, 'id'), expires)),
      );
      const [ledgerId, keyUuid] = [idToUuid('led', ledger), idToUuid('key', keyId)];
      if (!isOwn || ledgerId === null || keyUuid === null) {
        throw new LedgerError('forbidden', 'the download link is not as it was made');
      }
      if (Number(expires) * 1000 <= clock.now()) {
        throw refused('has expired');
      }
      const principal = (await usablePrincipals(db, clock, { ledgerId }, [keyUuid])).get(keyUuid);
      if (principal === undefined) {
        throw refused('has ended with the key that asked for it');
      }
      return principal;
    },
  };
}

const refused = (problem: string) =>
  new LedgerError('forbidden', `the download link ${problem}: GET /exports/{id} gives a fresh one`);

function isSame(text: string, due: Buffer): boolean {
  const given = Buffer.from(text, 'base64url');
  // Node's decoder skips what it does not know, so the way back must give the same text.
  const isWhole = given.toString('base64url') === text && given.length === due.length;
  return isWhole && timingSafeEqual(given, due);
}

function textOf(values: unknown, name: string): string {
  const value: unknown = Reflect.get(Object(values), name);
  return typeof value === 'string' ? value : '';
}
