import { Settings } from '@decision-ledger/contract/settings';
import fc from 'fast-check';
import { type TSchema, Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { settingsKeeper, settingsOpener } from '#server/domains/access/settings/keep-secrets';
import { mapSecrets, mergePatch } from '#server/domains/access/settings/rules/document';
import {
  maskPlain,
  sealShown,
  showMerged,
  showStored,
} from '#server/domains/access/settings/rules/secrets';
import { masterKeyOf } from '#server/platform/keyring/keyring';
import { keyBytes, ringOf } from '../support/keyring.js';
import { hledger, quickbooks } from '../support/settings-samples.js';

const scope = {
  orgId: 'o',
  ledgerId: '019d95a0-3dc0-7419-9bb0-91ebe2034a56',
  mode: 'live' as const,
};
const keeperOf = (fill: number, own = scope) =>
  settingsKeeper(ringOf(fill), masterKeyOf(keyBytes(fill)), own);
const keeper = keeperOf(3);
const opener = settingsOpener(ringOf(3), scope);

type Document = Parameters<typeof mergePatch>[0];

/** What a patch leaves stored, as in `PATCH /settings`. */
const change = (stored: Document, patch: Document) =>
  sealShown(showMerged(mergePatch(stored, patch), stored), stored, keeper);
const open = (stored: Document) => mapSecrets(Settings, stored, opener.open);

/** Every text in the schema that is named like a secret, and every text marked as one. */
function texts(schema: TSchema, path = ''): { named: string[]; marked: string[] } {
  const children: [string, TSchema][] = [
    ...(Type.IsUnion(schema) ? schema.anyOf.map((one): [string, TSchema] => [path, one]) : []),
    ...(Type.IsArray(schema) ? [[`${path}[]`, schema.items] satisfies [string, TSchema]] : []),
    ...(Type.IsObject(schema)
      ? Object.entries(schema.properties).map(([name, child]): [string, TSchema] => [
          `${path}.${name}`,
          child,
        ])
      : []),
  ];
  const below = children.map(([place, child]) => texts(child, place));
  const isText = Type.IsString(schema);
  const isNamed = isText && /secrets?(\[\])?$|token$|password|_key$/.test(path);
  const isMarked = isText && Reflect.get(schema, 'writeOnly') === true;
  return {
    named: [...(isNamed ? [path] : []), ...below.flatMap(({ named }) => named)],
    marked: [...(isMarked ? [path] : []), ...below.flatMap(({ marked }) => marked)],
  };
}

describe('Settings schema', () => {
  it('Every text in the schema that is named like a secret is marked as one', () => {
    const { named, marked } = texts(Settings);
    // The name of a member of the metadata, which opens nothing.
    expect(marked).toEqual(named.filter((path) => path !== '.analytics.customer_key'));
    expect(marked).toEqual([
      '.stripe.signing_secrets[]',
      '.accounting[].client_secret',
      '.accounting[].refresh_token',
      '.accounting[].api_key',
      '.alerts.secret',
    ]);
  });
});

const secret = fc.stringMatching(/^whsec_[!-~]{1,40}$/);
const connections = fc.array(
  fc.oneof(
    fc.constant(hledger()),
    fc.record({ client_secret: secret, refresh_token: secret }).map(quickbooks),
  ),
  { maxLength: 4 },
);
const documents = fc.record(
  {
    base_currency: fc.constant('EUR'),
    stripe: fc.record({ signing_secrets: fc.array(secret, { maxLength: 5 }) }),
    accounting: connections,
    alerts: fc.record({ url: fc.constant('https://a.example'), secret }),
  },
  { requiredKeys: [] },
);

function plainOf(document: Document): string[] {
  const found: string[] = [];
  mapSecrets(Settings, document, (text) => {
    found.push(text);
    return text;
  });
  return found;
}

describe('Arbitrary settings', () => {
  it('Settings open to what was sent and are stored, shown and recorded without their secrets', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const stored = change({}, document);
        expect(open(stored)).toEqual(document);
        const shown = showStored(stored);
        expect(maskPlain(document, keeper)).toEqual(shown);
        for (const text of [JSON.stringify(stored), JSON.stringify(shown)]) {
          for (const plain of plainOf(document)) {
            expect(text).not.toContain(JSON.stringify(plain).slice(1, -1));
          }
        }
      }),
    );
  });

  it('Settings stay unchanged when they are sent again, in plain text or as shown', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const stored = change({}, document);
        expect(change(stored, {})).toEqual(stored);
        expect(change(stored, document)).toEqual(stored);
        expect(change(stored, showStored(stored))).toEqual(stored);
      }),
    );
  });

  it('Masks and new secrets may be mixed in any order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(secret, { minLength: 1, maxLength: 5 }).chain((old) =>
          fc.record({
            old: fc.constant(old),
            next: fc.array(fc.oneof(fc.nat(old.length - 1), secret), { maxLength: 5 }),
          }),
        ),
        ({ old, next }) => {
          const stored = change({}, { stripe: { signing_secrets: old } });
          const masks = plainOf(showStored(stored));
          const pick = (from: readonly string[]) =>
            next.map((item) => (typeof item === 'number' ? (from[item] ?? '') : item));
          const after = change(stored, { stripe: { signing_secrets: pick(masks) } });
          expect(open(after)).toEqual({ stripe: { signing_secrets: pick(old) } });
        },
      ),
    );
  });

  it('Values that do not match the schema are left unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const document: Document = JSON.parse(JSON.stringify(value));
        expect(mapSecrets(Settings, document, (text) => text)).toEqual(document);
      }),
    );
  });
});

describe('Sealed secrets', () => {
  const at = (place: string) => ({ place, path: place });

  it('A sealed secret opens only in its place and ledger and under its master key', () => {
    const sealed = keeper.seal('x', at('alerts.secret'));
    const elsewhere = { ...scope, ledgerId: 'another' };
    expect(opener.open(sealed, at('alerts.secret'))).toBe('x');
    expect(() => opener.open(sealed, at('stripe.signing_secrets[]'))).toThrow(
      /cannot be decrypted/,
    );
    for (const other of [settingsOpener(ringOf(3), elsewhere), settingsOpener(ringOf(4), scope)]) {
      expect(() => other.open(sealed, at('alerts.secret'))).toThrow(/cannot be decrypted/);
    }
    for (const other of [keeperOf(3, elsewhere), keeperOf(4)]) {
      expect(other.matches(sealed, 'x', at('alerts.secret'))).toBe(false);
    }
  });

  it('Sealing a secret again gives another text under the same mask', () => {
    const [first, second] = [keeper.seal('x', at('a')), keeper.seal('x', at('a'))];
    expect(first).not.toBe(second);
    expect(first.slice(0, 18)).toBe(second.slice(0, 18));
  });
});
