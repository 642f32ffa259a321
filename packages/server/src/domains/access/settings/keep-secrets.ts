import { type Keyring, type MasterKey, sealUnder } from '../../../platform/keyring/keyring.js';
import type { Scope } from '../../../platform/principal.js';
import { deriveKey, hmac, SealError } from '../../../platform/secrets.js';
import { parseSealed, type SecretKeeper, sealedText } from './rules/secrets.js';
import type { SecretPlace } from './rules/walk-secrets.js';

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
