import { type Activity, ActivityPage } from '@decision-ledger/contract/chain';
import { Settings } from '@decision-ledger/contract/settings';
import { SettingsAnswer } from '@decision-ledger/contract/settings-forms';
import { pino } from 'pino';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { createAuthenticator, keyCredentials } from '#server/domains/access/keys/index';
import {
  openSettings,
  readSettings,
  SettingsSecretError,
} from '#server/domains/access/settings/index';
import type { Scope } from '#server/platform/principal';
import { type Client, clientOf, dataOf, errorOf, expectRefusal } from '../support/client.js';
import { keyText, ringOf } from '../support/keyring.js';
import {
  contents,
  type Organisation,
  openTestService,
  type TestService,
} from '../support/service.js';
import { ALERT_SECRET, hledger, quickbooks } from '../support/settings-samples.js';

let bed: TestService;
let org: Organisation;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
beforeEach(async () => {
  org = await bed.organisation();
});
afterAll(() => bed.close());

const MASK = /^\*{8}[0-9a-f]{8}$/;
const patch = (client: Client, body: unknown) => client.patch('/settings', body);
const settings = async (client: Client, body: unknown) =>
  dataOf(await patch(client, body), Settings);
const read = async (client: Client) => dataOf(await client.get('/settings'), Settings);

async function scopeOf({ key }: Client): Promise<Scope> {
  const { installation, clock } = bed.service;
  const principal = await createAuthenticator(clock, [keyCredentials(installation)]).authenticate(
    key,
  );
  if (principal === null) throw new Error('the key is not known');
  return principal.scope;
}

const open = async (client: Client, tools = bed.service) =>
  openSettings(bed.service.db.ledger(await scopeOf(client)), tools);

async function changes(client: Client): Promise<Activity[]> {
  const answer = await client.get('/activity?type=settings.changed&limit=500');
  return dataOf(answer, ActivityPage).activity;
}

/** Every row of every table, as text. */
async function everyRow(): Promise<string[]> {
  const { db } = bed.service;
  const tables = await db.query<{ name: string }>(sql`
    select tablename as name from pg_tables where schemaname = 'public'`);
  const rows = await Promise.all(
    tables.map(({ name }) =>
      db.query<{ text: string }>(sql`
        select row_to_json(t)::text as text from ${raw(`public."${name}"`)} t`),
    ),
  );
  return rows.flat().map(({ text }) => text);
}

const signing = (...signing_secrets: unknown[]) => ({ stripe: { signing_secrets } });

const ALL = {
  ...signing('whsec_stripeFirst', 'whsec_stripeSecond'),
  accounting: [hledger(), quickbooks()],
  alerts: { url: 'https://alerts.example/in', secret: ALERT_SECRET },
};
const PLAIN = [
  'whsec_stripeFirst',
  'whsec_stripeSecond',
  'quick-client-secret',
  'quick-refresh-token',
  ALERT_SECRET,
];

function expectNoSecret(texts: readonly string[]): void {
  for (const text of texts) {
    for (const plain of PLAIN) {
      expect(text).not.toContain(plain);
      expect(text).not.toContain(Buffer.from(plain).toString('hex'));
      expect(text).not.toContain(Buffer.from(plain).toString('base64').replace(/=+$/, ''));
    }
  }
}

describe('Secrets in settings', () => {
  it('The API describes a secret as plain text in requests and as a mask in answers', async () => {
    const description = JSON.parse((await org.live.get('/openapi.json')).text);
    const {
      Settings: read,
      SettingsChange: changed,
      SettingsPatch: body,
    } = description.components.schemas;
    const shown = [read, changed].map(({ properties }) => JSON.stringify(properties));
    for (const text of shown) {
      expect(text).toContain(JSON.stringify('^\\*{8}[0-9a-f]{8}$'));
      expect(text).not.toMatch(/whsec_[^`]*\[|writeOnly/);
    }
    const { secret } = body.properties.alerts.anyOf[0].properties;
    expect(secret).toMatchObject({ type: ['string', 'null'], writeOnly: true });
    const form = new RegExp(secret.pattern, 'u');
    expect(
      [ALERT_SECRET, '********0123abcd', 'whsec_short'].map((text) => form.test(text)),
    ).toEqual([...[true, true, false]]);
    await patch(org.live, ALL);
    dataOf(await org.live.get('/settings'), SettingsAnswer);
    dataOf(await patch(org.live, ALL), SettingsAnswer);
  });

  it('A secret is in no answer, log line, table or activity record', async () => {
    const from = bed.logLines.length;
    const answers = [
      await patch(org.live, ALL),
      await patch(org.live, { base_currency: 'EUR' }),
      await org.live.get('/settings'),
      await org.live.get('/activity'),
      await patch(org.live, { ...ALL, base_currency: 'no currency' }),
      await patch(org.live, { ...ALL, [ALERT_SECRET]: 1 }),
      await patch(org.live, { ...ALL, accounting: [quickbooks({ url: 'x' })] }),
      await patch(org.live, JSON.stringify(ALL).slice(0, -1)),
      await patch(org.live, { alerts: ALERT_SECRET }),
      await org.live.get(`/settings?secret=${encodeURIComponent(ALERT_SECRET)}`),
    ];
    expect(answers.map(({ status }) => status).slice(0, 4)).toEqual([200, 200, 200, 200]);
    expectNoSecret(answers.map(({ text }) => text));
    expectNoSecret(bed.logLines.slice(from).map(decodeURIComponent));
    const rows = await everyRow();
    expect(rows.some((row) => row.includes('sealed.1.'))).toBe(true);
    expectNoSecret(rows);
  });

  it('A secret is answered as a mask in its place and still works for its users', async () => {
    const { stripe, accounting, alerts } = await settings(org.live, ALL);
    const [first, second] = stripe.signing_secrets;
    expect(first).toMatch(MASK);
    expect(second).toMatch(MASK);
    expect(second).not.toBe(first);
    expect(accounting[1]).toMatchObject({
      client_secret: expect.stringMatching(MASK),
      refresh_token: expect.stringMatching(MASK),
      client_id: 'ABclient',
    });
    expect(alerts).toMatchObject({ url: ALL.alerts.url, secret: expect.stringMatching(MASK) });
    expect(await open(org.live)).toMatchObject(ALL);
    const read = await readSettings(bed.service.db.ledger(await scopeOf(org.live)));
    expect(read).toEqual(dataOf(await org.live.get('/settings'), Settings));
  });

  it('The same secret has another mask and another sealed text in another ledger', async () => {
    const live = await settings(org.live, signing('whsec_same'));
    const test = await settings(org.test, signing('whsec_same'));
    expect(live.stripe).not.toEqual(test.stripe);
    const [mask] = live.stripe.signing_secrets;
    const answer = await patch(org.test, signing(mask));
    expectRefusal(answer, 'validation_error', 'stripe.signing_secrets[0]');
  });

  it('A sealed secret moved to another ledger does not open', async () => {
    await settings(org.live, signing('whsec_mine'));
    const [from, to] = [await scopeOf(org.live), await scopeOf(org.test)];
    await settings(org.test, { base_currency: 'EUR' });
    await bed.service.db.query(sql`
      update settings set document = (
        select document from settings where ledger_id = ${from.ledgerId})
      where ledger_id = ${to.ledgerId}`);
    await expect(open(org.test)).rejects.toThrow(
      /stripe\.signing_secrets\[0\] cannot be decrypted/,
    );
  });
});

describe('Masks in a patch', () => {
  it('A mask keeps the secret it names, at any position of the array', async () => {
    const before = await settings(org.live, signing('whsec_old', 'whsec_older'));
    const [old, older] = before.stripe.signing_secrets;
    const rotated = await settings(org.live, signing('whsec_new', older, old));
    expect(rotated.stripe.signing_secrets.slice(1)).toEqual([older, old]);
    expect((await open(org.live)).stripe.signing_secrets).toEqual([
      'whsec_new',
      'whsec_older',
      'whsec_old',
    ]);
    await settings(org.live, signing(rotated.stripe.signing_secrets[0]));
    expect((await open(org.live)).stripe.signing_secrets).toEqual(['whsec_new']);
  });

  it('Settings can be sent back as they were read without changing a secret', async () => {
    await settings(org.live, ALL);
    const [shown, before] = [await read(org.live), await contents(bed)];
    const { stripe, alerts } = shown;
    await settings(org.live, { stripe, alerts: { secret: alerts.secret } });
    expect(await contents(bed)).toBe(before);
    await settings(org.live, shown);
    expect(await open(org.live)).toMatchObject(ALL);
  });

  it('A mask that matches no stored secret in its place is refused', async () => {
    const { stripe, alerts } = await settings(org.live, ALL);
    const before = await contents(bed);
    const wrong: [unknown, string][] = [
      [signing('whsec_x', '********00000000'), 'stripe.signing_secrets[1]'],
      [signing(alerts.secret), 'stripe.signing_secrets[0]'],
      [{ alerts: { secret: stripe.signing_secrets[0] } }, 'alerts.secret'],
    ];
    for (const [body, field] of wrong) {
      const answer = await patch(org.live, body);
      expectRefusal(answer, 'validation_error', field);
      const [[problem] = []] = Object.values(errorOf(answer).details?.fields ?? {});
      expect(problem).toMatch(/^is a mask that matches no stored secret: send/);
    }
    expect(await contents(bed)).toBe(before);
  });

  it('A mask cannot send a secret to another address than the one it was given for', async () => {
    const shown = await settings(org.live, ALL);
    const [, kept] = shown.accounting;
    const moved = { ...kept, token_url: 'https://elsewhere.example/token' };
    expectRefusal(
      await patch(org.live, { accounting: [moved] }),
      'validation_error',
      'accounting[0].client_secret',
      'accounting[0].refresh_token',
    );
    const { client_secret, refresh_token } = quickbooks();
    await settings(org.live, { accounting: [{ ...moved, client_secret, refresh_token }] });
    expect((await open(org.live)).accounting).toMatchObject([
      { token_url: moved.token_url, client_secret, refresh_token },
    ]);
  });
});

describe('Patches with secrets', () => {
  it('A patch with the secret that is already stored changes nothing', async () => {
    await settings(org.live, ALL);
    const before = await contents(bed);
    await settings(org.live, ALL);
    expect(await contents(bed)).toBe(before);
  });

  it('Sending the stored settings again changes nothing, even if one secret is used twice', async () => {
    const twice = [quickbooks(), quickbooks({ id: 'company-2', realm_id: '2' })];
    await settings(org.live, { accounting: twice });
    const before = await contents(bed);
    await settings(org.live, {});
    await settings(org.live, { accounting: twice });
    expect(await contents(bed)).toBe(before);
    expect((await open(org.live)).accounting).toMatchObject(twice);
  });

  it('A patch is recorded with masks in place of its secrets', async () => {
    const shown = await settings(org.live, ALL);
    const [{ data } = { data: undefined }] = await changes(org.live);
    const masks = shown.accounting[1];
    expect(data).toEqual({
      document_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      patch: {
        stripe: shown.stripe,
        accounting: [
          hledger(),
          quickbooks({
            client_secret: masks?.kind === 'quickbooks' && masks.client_secret,
            refresh_token: masks?.kind === 'quickbooks' && masks.refresh_token,
          }),
        ],
        alerts: { url: ALL.alerts.url, secret: shown.alerts.secret },
      },
    });
  });

  it('A text that looks sealed is treated as plain text', async () => {
    const [{ text } = { text: '' }] = await bed.service.db.query<{ text: string }>(sql`
      select 'sealed.1.0123abcd.AAAA' as text`);
    expectRefusal(
      await patch(org.live, { alerts: { secret: text } }),
      'validation_error',
      'alerts.secret',
    );
    await settings(org.live, { accounting: [quickbooks({ client_secret: text })] });
    expect((await open(org.live)).accounting).toMatchObject([{ client_secret: text }]);
  });
});

describe('Another master key', () => {
  const keyring = ringOf(9);

  it('Secrets do not open under another master key, and the error names the remedy', async () => {
    await settings(org.live, ALL);
    const error = await open(org.live, { ...bed.service, keyring }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(SettingsSecretError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /accounting\[1\]\.client_secret cannot be decrypted.*LEDGER_MASTER_KEY.*PATCH \/settings/,
      ),
    });
  });

  it('Under another master key settings can be read but not changed, and the refusal tells the operator the remedy', async () => {
    const shown = await settings(org.live, ALL);
    const config = readConfig({ LEDGER_MASTER_KEY: keyText(9) });
    const log = pino({ level: 'silent' });
    const http = await createApp({ ...bed.service, keyring }, config, log);
    const client = clientOf(http, org.live.key);
    expect(await read(client)).toEqual(shown);
    const before = await contents(bed);
    const answer = await client.patch('/settings', signing('whsec_again'));
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('LEDGER_MASTER_KEY');
    expect(await contents(bed)).toBe(before);
    await http.close();
  });
});
