import { invalidFields } from '@decision-ledger/contract/errors';
import { Settings } from '@decision-ledger/contract/settings';
import type { JsonObject } from './merge.js';
import { isMask, maskOf, parseSealed } from './sealed.js';
import { mapSecrets, type SecretPlace } from './walk-secrets.js';

/** What can be done with a secret of one ledger. */
export interface SecretKeeper {
  fingerprint(plain: string): string;
  seal(plain: string, at: SecretPlace): string;
  /** Whether a sealed text holds this secret; false where it does not open. */
  holds(sealed: string, plain: string, at: SecretPlace): boolean;
}

/** A stored document as it is shown: masks in place of sealed texts. No key is needed. */
export function showStored(stored: JsonObject): JsonObject {
  return mapSecrets(Settings, stored, maskSealed);
}

/** A document or a patch as it is recorded: masks in place of secrets. */
export function maskPlain(document: JsonObject, keeper: SecretKeeper): JsonObject {
  return mapSecrets(Settings, document, (text) =>
    isMask(text) ? text : maskOf(keeper.fingerprint(text)),
  );
}

/** Paths of the secrets that a document or a patch holds in plain text. */
export function plainSecretsOf(document: JsonObject): string[] {
  const paths: string[] = [];
  mapSecrets(Settings, document, (text, { path }) => {
    if (!isMask(text)) paths.push(path);
    return text;
  });
  return paths;
}

/**
 * Tells what the caller sent from what was stored, in a stored document into which a patch was
 * merged: masks in place of what was stored, and the rest as it came.
 */
export function showMerged(merged: JsonObject, stored: JsonObject): JsonObject {
  const held = heldBy(stored);
  return mapSecrets(Settings, merged, (text, { place }) =>
    held.get(place)?.includes(text) === true ? maskSealed(text) : text,
  );
}

/**
 * The document to store: a mask is replaced by the sealed text that it stands for, and so is a
 * secret that is stored already; any other is sealed.
 * @param shown from `showMerged`
 * @throws LedgerError `validation_error` naming every mask that fits no stored secret
 */
export function sealShown(shown: JsonObject, stored: JsonObject, keeper: SecretKeeper): JsonObject {
  const held = heldBy(stored);
  const unknown = new Map<string, string[]>();
  const after = mapSecrets(Settings, shown, (text, at) => {
    const known = held.get(at.place) ?? [];
    const mask = isMask(text) ? text : maskOf(keeper.fingerprint(text));
    const alike = known.filter((sealed) => maskSealed(sealed) === mask);
    if (!isMask(text)) {
      const same = alike.find((sealed) => keeper.holds(sealed, text, at));
      const sealed = same ?? keeper.seal(text, at);
      // Where a secret stands twice, its sealed text is the same: a mask then names one text.
      if (same === undefined) held.set(at.place, [...known, sealed]);
      return sealed;
    }
    const [kept] = alike;
    if (kept === undefined) unknown.set(at.path, [UNKNOWN_MASK]);
    return kept ?? text;
  });
  if (unknown.size > 0) throw invalidFields(Object.fromEntries(unknown));
  return after;
}

const UNKNOWN_MASK =
  'is a mask that fits no secret stored here: send the secret itself, or a mask as GET /settings ' +
  'shows it';

/** The sealed texts of a stored document by their place. */
function heldBy(stored: JsonObject): Map<string, string[]> {
  const held = new Map<string, string[]>();
  mapSecrets(Settings, stored, (text, { place }) => {
    held.set(place, [...(held.get(place) ?? []), text]);
    return text;
  });
  return held;
}

function maskSealed(text: string): string {
  const sealed = parseSealed(text);
  if (sealed === null) throw new Error('a stored secret is not sealed');
  return maskOf(sealed.fingerprint);
}
