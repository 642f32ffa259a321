import { Settings } from '@decision-ledger/contract/settings';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { expiringCache } from '../../../platform/expiring-cache.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { type Installation, installationOf } from '../../../platform/statement.js';
import { ledgersOf } from '../organisations/index.js';
import { settingsOpener } from './keep-secrets.js';
import { effectiveSettings } from './rules/check.js';
import { mapSecrets, readDocument } from './rules/document.js';
import { showStored } from './rules/secrets.js';
import { selectEveryOrigin, selectSettings, selectSettingsOf } from './store/settings.js';

/**
 * Settings of one ledger, with masks in place of secrets; needs no key. Settings of the whole
 * organisation are those of its live ledger.
 */
export async function readSettings(ledger: LedgerReader): Promise<Settings> {
  return readShared(ledger, makeOf(await selectSettings(ledger)).shown);
}

/** What was stored, and the settings that it makes. */
interface Made {
  /** With sealed secrets. */
  readonly document: ReturnType<typeof readDocument>;
  readonly shown: Settings;
}

/** What was made last, by its stored text: most transactions read it, and a year of rates takes milliseconds. */
const made = new Map<string, Made>();
const MOST_MADE = 32;

/** @param text as it is stored; null for the defaults */
function makeOf(text: string | null): Made {
  const key = text ?? '';
  const known = made.get(key) ?? makeFrom(readDocument(text));
  made.delete(key);
  made.set(key, known);
  const oldest = made.keys().next();
  if (made.size > MOST_MADE && oldest.done !== true) made.delete(oldest.value);
  return known;
}

const makeFrom = (document: Made['document']): Made => ({
  ...{ document, shown: effectiveSettings(showStored(document)) },
});

/** A ledger's own settings, with those of the whole organisation filled in. */
async function readShared(ledger: LedgerReader, own: Settings): Promise<Settings> {
  if (ledger.scope.mode === 'live') return own;
  const installation = installationOf(ledger.connection);
  const { live } = await ledgersOf(installation, ledger.scope.orgId);
  const stored = await selectSettingsOf(installation, live);
  const { rate_limits, stream } = makeOf(stored).shown;
  return { ...own, rate_limits, stream };
}

/** Cached settings: a change made by another process takes effect within a second. */
export interface SettingsReader {
  /** Those that were read less than a second ago. */
  recall(scope: Scope): Settings | undefined;
  get(scope: Scope): Promise<Settings>;
  /** Clears the cache, so that a change made by this process takes effect immediately. */
  forgetAll(): void;
}

/** How long a process may take to notice a change. */
const STALE_MS = 900;

export function settingsReader(db: Database, clock: Clock): SettingsReader {
  let cache = expiringCache<Settings>(clock, STALE_MS);
  return {
    recall: (scope) => cache.peek(scope.ledgerId),
    get: (scope) => cache.get(scope.ledgerId, () => readSettings(db.ledger(scope))),
    forgetAll() {
      cache = expiringCache(clock, STALE_MS);
    },
  };
}

export interface OpenSettingsTools {
  readonly keyring: Keyring;
}

/**
 * The settings of a ledger with their secrets in plain text. They must not reach a response, a log line
 * or an error.
 * @throws SettingsSecretError if a secret was sealed under another master key
 */
export async function openSettings(
  ledger: LedgerReader,
  { keyring }: OpenSettingsTools,
): Promise<Settings> {
  const opener = settingsOpener(keyring, ledger.scope);
  const { document } = makeOf(await selectSettings(ledger));
  const own = effectiveSettings(
    mapSecrets(Settings, document, (text, at) => opener.open(text, at)),
  );
  return readShared(ledger, own);
}

const ALL = 'all';

/** Reads the origins of all ledgers, at most once a second. */
export function everyOrigin(
  installation: Installation,
  clock: Clock,
): () => Promise<ReadonlySet<string>> {
  const cache = expiringCache<ReadonlySet<string>>(clock, STALE_MS);
  return () => cache.get(ALL, async () => new Set(await selectEveryOrigin(installation)));
}
