import { Settings } from '@decision-ledger/contract/settings';
import type { Queryable } from '../../../platform/database.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/scope.js';
import { settingsOpener } from './keep-secrets.js';
import { readDocument, readShared } from './read.js';
import { effective } from './rules/check.js';
import { mapSecrets } from './rules/walk-secrets.js';
import { selectSettings } from './store/settings.js';

export interface OpenSettingsTools {
  readonly keyring: Keyring;
}

/**
 * The settings of a ledger with their secrets in plain text. They must not reach a response, a log line
 * or an error.
 * @throws SettingsSecretError if a secret was sealed under another master key
 */
export async function openSettings(
  { keyring }: OpenSettingsTools,
  db: Queryable,
  scope: Scope,
): Promise<Settings> {
  const opener = settingsOpener(keyring, scope);
  const stored = readDocument(await selectSettings(db, scope));
  const own = effective(mapSecrets(Settings, stored, (text, at) => opener.open(text, at)));
  return readShared(db, scope, own);
}
