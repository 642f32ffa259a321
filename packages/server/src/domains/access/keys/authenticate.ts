import { unavailable } from '@decision-ledger/contract/errors';
import { sha256Hex } from '@decision-ledger/proof/hash';
import type { Clock } from '../../../platform/clock.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Principal } from '../../../platform/principal.js';
import type { Installation } from '../../../platform/statement.js';
import { isUsable, parseKey } from './rules/key.js';
import { type KeyOfLedger, selectKeysByHash, selectUsableKeys } from './store/api-keys.js';

export interface Authenticator {
  /** Whether the text has the format of a credential, checksum included; says nothing about its existence. */
  isKey(text: string): boolean;
  /** The principal of a credential that was looked up less than a second ago; null if it is not cached. */
  recall(text: string): Principal | null;
  /**
   * @param isSuspect if true, a credential that is new to this process is looked up in a batch, up to a
   *   tenth of a second later
   * @returns null for a text that is mistyped, unknown, revoked or expired
   * @throws LedgerError `unavailable` while too many lookups are waiting
   */
  authenticate(text: string, isSuspect?: boolean): Promise<Principal | null>;
  /** Clears the cache, so that a change made by this process takes effect immediately. */
  forgetAll(): void;
}

/** Maximum delay until this process notices a revocation made by another one. */
const STALE_MS = 900;
/** Credentials that were valid once are never delayed by a batch, even if their address is suspect. */
const MAX_SEEN = 10_000;

export function createAuthenticator(clock: Clock, kinds: readonly CredentialKind[]): Authenticator {
  let cache = expiringCache<FoundCredential | null>(clock, STALE_MS);
  const seen = new Set<string>();
  const lookups = kinds.map((kind) => ({
    isText: kind.isText,
    direct: directLookup(kind),
    batched: batchedLookup(kind),
  }));
  const lookupOf = (text: string) => lookups.find(({ isText }) => isText(text));

  function remember(hash: string): void {
    seen.delete(hash);
    seen.add(hash);
    const [oldest] = seen;
    if (seen.size > MAX_SEEN && oldest !== undefined) seen.delete(oldest);
  }

  async function find(hash: string, lookup: CredentialLookup): Promise<FoundCredential | null> {
    const found = await cache.get(hash, () => lookup(hash));
    // Unknown credentials must not displace known ones in the cache.
    if (found === null) cache.forget(hash);
    else remember(hash);
    return found;
  }

  const usable = (found: FoundCredential | null | undefined): Principal | null =>
    found?.isUsable(clock.now()) === true ? found.principal : null;

  return {
    isKey: (text) => lookupOf(text) !== undefined,
    recall: (text) => usable(cache.peek(sha256Hex(text))),
    async authenticate(text, isSuspect = false) {
      const lookup = lookupOf(text);
      if (lookup === undefined) return null;
      const hash = sha256Hex(text);
      const found = cache.peek(hash);
      if (found !== undefined) return usable(found);
      return usable(
        await find(hash, isSuspect && !seen.has(hash) ? lookup.batched : lookup.direct),
      );
    },
    forgetAll() {
      cache = expiringCache(clock, STALE_MS);
    },
  };
}

/** Finds a credential by its SHA-256, hexadecimal; null if there is none. */
export type CredentialLookup = (hash: string) => Promise<FoundCredential | null>;

/** Queries the database for each credential. */
function directLookup({ find }: CredentialKind): CredentialLookup {
  return async (hash) => (await find([hash]))[0] ?? null;
}

const BATCH_EVERY_MS = 100;
const MAX_WAITING = 2000;

interface Waiting {
  readonly hash: string;
  readonly resolve: (found: FoundCredential | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks up all waiting credentials in one query, at most ten times a second. Guesses therefore cost the
 * database little, and a valid credential among them is still found.
 * Rejects with `unavailable` while too many are waiting.
 */
function batchedLookup({ find }: CredentialKind): CredentialLookup {
  let waiting: Waiting[] = [];

  async function flush(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const all = await find([...new Set(batch.map(({ hash }) => hash))]);
      const found = new Map(all.map((each) => [each.hash, each]));
      for (const { hash, resolve } of batch) resolve(found.get(hash) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (hash) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= MAX_WAITING) {
        reject(unavailable('too many unknown keys are being looked up'));
        return;
      }
      waiting.push({ hash, resolve, reject });
      if (waiting.length === 1) setTimeout(() => void flush(), BATCH_EVERY_MS);
    });
}

/** A stored credential. */
export interface FoundCredential {
  /** SHA-256 of its text, hexadecimal. */
  readonly hash: string;
  readonly principal: Principal;
  /** @param now ms */
  readonly isUsable: (now: number) => boolean;
}

/** A kind of credential: keys, or sessions. */
export interface CredentialKind {
  /** Whether the text has the format, checksum included. */
  isText(text: string): boolean;
  /** @param hashes SHA-256 of texts, hexadecimal */
  find(hashes: readonly string[]): Promise<readonly FoundCredential[]>;
}

export function keyCredentials(installation: Installation): CredentialKind {
  return {
    isText: (text) => parseKey(text) !== null,
    find: async (hashes) =>
      (await selectKeysByHash(installation, hashes)).map((row) => ({
        hash: row.key_hash.toString('hex'),
        principal: principalOfKey(row),
        isUsable: (now) => isUsable(row, now),
      })),
  };
}

function principalOfKey(row: KeyOfLedger): Principal {
  return {
    scope: { orgId: row.org_id, ledgerId: row.ledger_id, mode: row.mode },
    actor: uuidToId('key', row.key_id),
    permissions: new Set(row.permissions),
    ...(row.agents !== null && { agents: new Set(row.agents) }),
  };
}

/** The principal of a key, or the reason why it is invalid. */
export type KeyVerdict =
  | { readonly principal: Principal }
  | { readonly problem: 'mistyped' | 'unknown' | 'revoked' | 'expired' };

/** Explains why a key is invalid. Only for the operator's command line: no answer to a request says it. */
export async function judgeKey(
  installation: Installation,
  clock: Clock,
  text: string,
): Promise<KeyVerdict> {
  if (parseKey(text) === null) return { problem: 'mistyped' };
  const [row] = await selectKeysByHash(installation, [sha256Hex(text)]);
  if (row === undefined) return { problem: 'unknown' };
  if (isUsable(row, clock.now())) return { principal: principalOfKey(row) };
  return { problem: row.revoked_at === null ? 'expired' : 'revoked' };
}

/**
 * The principals of a ledger's keys that are neither revoked nor expired, by the UUIDs of the keys.
 * @param keyIds UUIDs
 */
export async function usablePrincipals(
  ledger: LedgerReader,
  keyIds: readonly string[],
): Promise<Map<string, Principal>> {
  const rows = await selectUsableKeys(ledger, keyIds, ledger.clock.now());
  return new Map(rows.map((row) => [row.key_id, principalOfKey(row)]));
}
