import { Settings } from '@decision-ledger/contract/settings';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import {
  type Keyring,
  type MasterKey,
  type Resealed,
  sealUnder,
} from '../../../platform/keyring/keyring.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { deriveKey, hmac, SealError } from '../../../platform/secrets.js';
import { mapSecrets, readDocument, type SecretPlace } from './rules/document.js';
import { parseSealed, type SecretKeeper, sealedText } from './rules/secrets.js';
import { selectSettings, updateDocument } from './store/settings.js';

/** A stored secret cannot be decrypted; the message names the setting and the remedy. */
export class SettingsSecretError extends Error {
  override readonly name = 'SettingsSecretError';
}

/** Decrypts the secrets of one ledger's settings. A sealed secret is bound to its ledger and setting. */
export interface SettingsOpener {
  /** @throws SettingsSecretError */
  open(sealed: string, at: SecretPlace): string;
  /** Null if it cannot be decrypted. */
  openIfSealed(sealed: string, at: SecretPlace): string | null;
}

export function settingsOpener(keyring: Keyring, { ledgerId }: Scope): SettingsOpener {
  function read(text: string, { place }: SecretPlace): string {
    const sealed = parseSealed(text);
    if (sealed === null) throw new SealError('the value is not sealed');
    const bytes = Buffer.from(sealed.base64, 'base64');
    return keyring.open('settings', bytes, `${ledgerId} ${place}`).toString('utf8');
  }
  const openIfSealed = (sealed: string, at: SecretPlace) => ifSealed(() => read(sealed, at));
  return {
    openIfSealed,
    open(sealed, at) {
      const plain = openIfSealed(sealed, at);
      if (plain !== null) return plain;
      throw new SettingsSecretError(
        `the setting ${at.path} cannot be decrypted: it was sealed under another master key or was ` +
          'altered; start the service with the master key that sealed it (LEDGER_MASTER_KEY), or ' +
          'send the secret again with PATCH /settings',
      );
    },
  };
}

/** Seals the secrets of one ledger's settings under one key; decrypts with any key of the ring. */
export function settingsKeeper(keyring: Keyring, under: MasterKey, scope: Scope): SecretKeeper {
  const { ledgerId } = scope;
  const opener = settingsOpener(keyring, scope);
  const maskKey = deriveKey(under.bytes, 'settings mask');
  const fingerprint = (plain: string) =>
    hmac(maskKey, `${ledgerId} ${plain}`).toString('hex').slice(0, 8);
  return {
    fingerprint,
    seal: (plain, at) =>
      sealedText({
        fingerprint: fingerprint(plain),
        base64: sealUnder(under, 'settings', plain, `${ledgerId} ${at.place}`).toString('base64'),
      }),
    matches: (sealed, plain, at) => opener.openIfSealed(sealed, at) === plain,
  };
}

/** Null if a value cannot be decrypted. */
function ifSealed<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}

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
