import { Settings } from '@decision-ledger/contract/settings';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import type { Keyring, MasterKey, Resealed } from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { settingsKeeper, settingsOpener } from './keep-secrets.js';
import { readDocument } from './read.js';
import { mapSecrets } from './rules/walk-secrets.js';
import { selectSettings, updateDocument } from './store/settings.js';

export interface ResealedSettings extends Resealed {
  /** The stored text; null if the ledger has none. */
  readonly document: string | null;
}

/** Seals the secrets of a ledger's settings under a key. The caller holds the lock on its activity. */
export async function resealSettings(
  tx: LedgerWriter,
  keyring: Keyring,
  under: MasterKey,
): Promise<ResealedSettings> {
  const opener = settingsOpener(keyring, tx.scope);
  const keeper = settingsKeeper(keyring, under, tx.scope);
  const unreadable: string[] = [];
  // A secret that occurs twice keeps one sealed text, so that a mask names one text.
  const sealed = new Map<string, string>();
  const stored = await selectSettings(tx);
  const before = readDocument(stored);
  const after = mapSecrets(Settings, before, (text, at) => {
    const plain = opener.openIfSealed(text, at);
    if (plain === null) {
      unreadable.push(`the setting ${at.path}`);
      return text;
    }
    const known = sealed.get(`${at.place} ${text}`) ?? keeper.seal(plain, at);
    sealed.set(`${at.place} ${text}`, known);
    return known;
  });
  if (sealed.size === 0) return { values: 0, unreadable, document: stored };
  const document = canonicalJson(after);
  await updateDocument(tx, document);
  return { values: sealed.size, unreadable, document };
}
