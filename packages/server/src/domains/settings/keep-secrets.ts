import type { Scope } from '../../platform/scope.js';
import { deriveKey, mac, SealError, SecretBox } from '../../platform/secrets.js';
import { parseSealed, sealedText } from './rules/sealed.js';
import type { SecretKeeper } from './rules/secrets.js';
import type { SecretPlace } from './rules/walk-secrets.js';

/** A stored secret does not open; the message names the setting and what to do. */
export class SettingsSecretError extends Error {
  override readonly name = 'SettingsSecretError';
}

export interface SettingsKeeper extends SecretKeeper {
  /** @throws SettingsSecretError */
  open(sealed: string, at: SecretPlace): string;
}

/** Seals the secrets of one ledger's settings, and opens them for that ledger and setting alone. */
export function settingsKeeper(masterKey: Buffer, { ledgerId }: Scope): SettingsKeeper {
  const box = new SecretBox(deriveKey(masterKey, 'settings'));
  const maskKey = deriveKey(masterKey, 'settings mask');
  const associated = ({ place }: SecretPlace) => `${ledgerId} ${place}`;
  function open(text: string, at: SecretPlace): string {
    const sealed = parseSealed(text);
    if (sealed === null) throw new SealError('the value is not sealed');
    return box.open(Buffer.from(sealed.base64, 'base64'), associated(at)).toString('utf8');
  }
  const fingerprint = (plain: string) =>
    mac(maskKey, `${ledgerId} ${plain}`).toString('hex').slice(0, 8);
  return {
    fingerprint,
    seal: (plain, at) =>
      sealedText({
        fingerprint: fingerprint(plain),
        base64: box.seal(plain, associated(at)).toString('base64'),
      }),
    holds: (sealed, plain, at) => ifSealed(() => open(sealed, at) === plain) ?? false,
    open(sealed, at) {
      const plain = ifSealed(() => open(sealed, at));
      if (plain !== null) return plain;
      throw new SettingsSecretError(
        `the setting ${at.path} does not open: it was sealed under another master key or was ` +
          'altered; start the service with the master key that sealed it (LEDGER_MASTER_KEY), or ' +
          'send the secret again with PATCH /settings',
      );
    },
  };
}

/** Null where a value does not open. */
function ifSealed<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SealError) return null;
    throw error;
  }
}
