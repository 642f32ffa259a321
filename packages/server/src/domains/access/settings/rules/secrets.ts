import { invalidFields } from '@decision-ledger/contract/errors';
import { Settings } from '@decision-ledger/contract/settings';
import { type JsonObject, mapSecrets, type SecretPlace } from './document.js';

/** A secret in the stored document: its fingerprint, and the sealed bytes in base64. */
const SEALED = /^sealed\.1\.([0-9a-f]{8})\.([A-Za-z0-9+/]+={0,2})$/;

const MASK = /^\*{8}[0-9a-f]{8}$/;

export interface SealedSecret {
  /** 8 hexadecimal characters. */
  readonly fingerprint: string;
  readonly base64: string;
}

export function sealedText({ fingerprint, base64 }: SealedSecret): string {
  return `sealed.1.${fingerprint}.${base64}`;
}

export function parseSealed(text: string): SealedSecret | null {
  const [, fingerprint, base64] = SEALED.exec(text) ?? [];
  return fingerprint === undefined || base64 === undefined ? null : { fingerprint, base64 };
}

function maskOf(fingerprint: string): string {
  return `********${fingerprint}`;
}

export function isMask(text: string): boolean {
  return MASK.test(text);
}

/** Operations on the secrets of one ledger. */
export interface SecretKeeper {
  fingerprint(plain: string): string;
  seal(plain: string, at: SecretPlace): string;
  /** Whether a sealed text contains this secret; false if it cannot be decrypted. */
  matches(sealed: string, plain: string, at: SecretPlace): boolean;
}

/** A stored document with masks in place of sealed texts; needs no key. */
export function showStored(stored: JsonObject): JsonObject {
  return mapSecrets(Settings, stored, maskSealed);
}

/** A document or a patch with masks in place of plain secrets. */
export function maskPlain(document: JsonObject, keeper: SecretKeeper): JsonObject {
  return mapSecrets(Settings, document, (text) =>
    isMask(text) ? text : maskOf(keeper.fingerprint(text)),
  );
}

/** Paths of the plain secrets in a document or a patch. */
export function plainSecretsOf(document: JsonObject): string[] {
  const paths: string[] = [];
  mapSecrets(Settings, document, (text, { path }) => {
    if (!isMask(text)) paths.push(path);
    return text;
  });
  return paths;
}

/**
 * A stored document into which a patch was merged, with masks in place of stored secrets. Secrets that
 * the caller sent stay as they are.
 */
export function showMerged(merged: JsonObject, stored: JsonObject): JsonObject {
  const byPlace = sealedByPlace(stored);
  return mapSecrets(Settings, merged, (text, { place }) =>
    byPlace.get(place)?.includes(text) === true ? maskSealed(text) : text,
  );
}

/**
 * The document to store. A mask is replaced by the sealed text that it names. A plain secret is replaced
 * by its stored sealed text, or sealed if it is new.
 * @param shown from `showMerged`
 * @throws LedgerError `validation_error` naming each mask without a stored secret
 */
export function sealShown(shown: JsonObject, stored: JsonObject, keeper: SecretKeeper): JsonObject {
  const byPlace = sealedByPlace(stored);
  const unknown = new Map<string, string[]>();
  const after = mapSecrets(Settings, shown, (text, at) => {
    const known = byPlace.get(at.place) ?? [];
    const mask = isMask(text) ? text : maskOf(keeper.fingerprint(text));
    const alike = known.filter((sealed) => maskSealed(sealed) === mask);
    if (!isMask(text)) {
      const same = alike.find((sealed) => keeper.matches(sealed, text, at));
      const sealed = same ?? keeper.seal(text, at);
      // A secret that occurs twice has one sealed text, so that a mask names one text.
      if (same === undefined) byPlace.set(at.place, [...known, sealed]);
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
  'is a mask that matches no stored secret: send the secret itself, or a mask as GET /settings ' +
  'returns it';

/** The sealed texts of a stored document by place. */
function sealedByPlace(stored: JsonObject): Map<string, string[]> {
  const byPlace = new Map<string, string[]>();
  mapSecrets(Settings, stored, (text, { place }) => {
    byPlace.set(place, [...(byPlace.get(place) ?? []), text]);
    return text;
  });
  return byPlace;
}

function maskSealed(text: string): string {
  const sealed = parseSealed(text);
  if (sealed === null) throw new Error('a stored secret is not sealed');
  return maskOf(sealed.fingerprint);
}
