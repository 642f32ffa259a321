import {
  ACCOUNTING,
  ACCOUNTING_KINDS,
  type AccountingConnection,
  ConnectionState,
} from '@decision-ledger/contract/accounting';
import { URL_PATTERN } from '@decision-ledger/contract/setting-fields';
import { Settings } from '@decision-ledger/contract/settings';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '#server/domains/access/settings/rules/check';
import { movedSecrets } from '#server/domains/access/settings/rules/cross-fields';
import { CONNECTORS, openConnection } from '#server/domains/sources/accounting/connectors/registry';
import { hledger, quickbooks, stripe } from '../../support/settings-samples.js';

/** A valid connection of each kind. */
const SAMPLES: { readonly [Kind in AccountingConnection['kind']]: object } = {
  hledger: hledger({ id: 'connection' }),
  quickbooks: quickbooks({
    ...{ id: 'connection', api_url: 'https://a.example', token_url: 'https://b.example' },
  }),
  stripe: stripe({ id: 'connection', api_url: 'https://a.example' }),
};

const settingsOf = (connection: object) =>
  checkSettings(Object({ accounting: [{ ...connection }] }), 0);

describe.for(Object.entries(ACCOUNTING))('the kind of connection %s', ([name, described]) => {
  const { kind, schema, secrets, urls } = described;
  const sample = SAMPLES[kind];
  const where = (member: string, value: unknown) => {
    const fields = Object.entries<object>(schema.properties);
    return fields.filter(([, field]) => Reflect.get(field, member) === value).map(([key]) => key);
  };

  it('Each kind is listed under its name, with a connector', () => {
    expect(kind).toBe(name);
    expect(CONNECTORS[kind]).toMatchObject(described);
    expect(schema.properties.kind.const).toBe(name);
  });

  it('Each kind names its secrets and addresses', () => {
    expect(secrets).toEqual(where('writeOnly', true));
    expect(urls).toEqual(where('pattern', URL_PATTERN));
  });

  it('The settings and the state of a connection accept each kind', () => {
    expect(settingsOf(sample).accounting).toMatchObject([sample]);
    const state = {
      id: 'connection',
      kind,
      polled_at: null,
      ...{ problem: null, problem_count: 0, withheld: null },
      is_poll_pending: false,
    };
    expect(Check(ConnectionState, state)).toBe(true);
  });

  it('Each address with a password is refused', () => {
    for (const url of urls) {
      const error = () => settingsOf({ ...sample, [url]: 'https://user:password@a.example' });
      expect(error).toThrow(
        expect.objectContaining({
          details: { fields: { [`accounting[0].${url}`]: [expect.stringContaining('password')] } },
        }),
      );
    }
  });

  it('A masked secret stays with its addresses', () => {
    const masks = Object.fromEntries(secrets.map((secret) => [secret, `********${'0'.repeat(8)}`]));
    const before = settingsOf({ ...sample, ...masks });
    expect(movedSecrets(before, before)).toEqual([]);
    for (const url of urls) {
      const after = settingsOf({ ...sample, ...masks, [url]: 'https://elsewhere.example' });
      expect(movedSecrets(before, after).map(([path]) => path)).toEqual(
        secrets.map((secret) => `accounting[0].${secret}`),
      );
    }
  });
});

it('An unlisted kind is refused and does not compile', () => {
  const kinds = ACCOUNTING_KINDS.join(' or ');
  expect(() => settingsOf(hledger({ kind: 'ledger-cli' }))).toThrow(
    expect.objectContaining({ code: 'validation_error' }),
  );
  expect([kinds, Type.IsUnion(Settings.properties.accounting.items)]).toEqual([
    'hledger or quickbooks or stripe',
    true,
  ]);
  // @ts-expect-error There is no such kind.
  const open = () => openConnection({ kind: 'ledger-cli' }, null);
  expect(open).toThrow(TypeError);
  // @ts-expect-error A kind without a connector.
  const missing = { hledger: CONNECTORS.hledger } satisfies typeof CONNECTORS;
  expect(Object.keys(missing)).not.toEqual(ACCOUNTING_KINDS);
});
