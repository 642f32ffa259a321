import { ActivityPage } from '@decision-ledger/contract/activity';
import { Settings } from '@decision-ledger/contract/settings';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceSigningKey } from '#server/domains/evidence/signing-keys/index';
import {
  checkMasterKey,
  resetMasterKey,
  rotateMasterKey,
} from '#server/domains/operations/master-key/index';
import {
  selectConnections,
  upsertRefreshToken,
} from '#server/domains/sources/accounting/store/connections';
import type { Database } from '#server/platform/database';
import { Keyring } from '#server/platform/keyring/keyring';
import { selectKeyState } from '#server/platform/keyring/state';
import type { Scope } from '#server/platform/principal';
import { installationOf } from '#server/platform/statement';
import { type Client, dataOf } from '../../support/client.js';
import { dyingAfter, dyingInside } from '../../support/dying-database.js';
import { postExport } from '../../support/exports.js';
import { keyBytes, keyId, keyText } from '../../support/keyring.js';
import { asOwner } from '../../support/owner.js';
import {
  type Engine,
  type Instance,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { countOpening, expectOpens, sealEveryKind } from './sealed.js';

const DECISION = { agent_id: 'a', action_type: 'b', inputs: {}, outputs: {}, confidence: 1 };
const OLD = 7;
const NEW = 8;
const BOTH = { LEDGER_MASTER_KEY: keyText(NEW), LEDGER_MASTER_KEY_PREVIOUS: keyText(OLD) };

let bed: TestService;
const ringsOf = (...fills: number[]) => new Keyring(fills.map(keyBytes));
const ignore = () => undefined;

async function rotate(keyring = bed.service.keyring, db: Database = bed.service.db) {
  const installation = installationOf(db);
  return rotateMasterKey({ db, installation, keyring, lookMs: null }, ignore);
}

/** A keyring as another process has it after comparing it with the database. */
async function checked(...fills: number[]): Promise<Keyring> {
  const keyring = ringsOf(...fills);
  await checkMasterKey(bed.service.db, keyring);
  return keyring;
}

async function activityOf(client: Client, type: string) {
  return dataOf(await client.get(`/activity?type=${type}&limit=500`), ActivityPage).activity;
}

export function masterKeySuite(engine: Engine): void {
  beforeEach(async () => {
    bed = await openTestService(engine, { settings: BOTH });
  });
  afterEach(() => bed.close());
  describe(`Change of the master key on ${engine}`, () => {
    whileServing();
    brokenOff();
    others();
  });
  describe(`Master key on ${engine}`, compared);
  describe(`Lost master key on ${engine}`, lost);
}

function whileServing(): void {
  it('A change seals everything under the new key while processes with both keys continue', async () => {
    const org = await bed.organisation();
    const live = await sealEveryKind(bed, org.live);
    const test = await sealEveryKind(bed, org.test);
    const other = await bed.another({ settings: BOTH });
    const before = [await usesOf(bed, org.live), await usesOf(other, org.live)];
    const rotation = await rotate();
    expect(rotation).toMatchObject({
      ...{ key_id: keyId(NEW), previous_key_id: keyId(OLD), resumed: false },
      ...{ ledgers: 2, values: 13, unreadable: [] },
    });
    for (const scope of [live, test]) {
      await expectOpens(bed.service.db.ledger(scope), bed.service, ringsOf(NEW));
      expect(await countOpening(bed.service.db.ledger(scope), bed.service, ringsOf(OLD))).toBe(0);
    }
    for (const instance of [bed, other]) {
      for (const use of before) await use.goesOn(instance);
      await changeSecret(instance, org.live);
    }
    expect((await postExport(org.live)).status).toBe(202);
  });

  it('A change is recorded once in the activity of each ledger, without any part of a key', async () => {
    const org = await bed.organisation();
    await sealEveryKind(bed, org.live);
    await rotate();
    for (const [client, values] of [
      [org.live, 7],
      [org.test, 0],
    ] as const) {
      const [record, ...more] = await activityOf(client, 'master_key.rotated');
      expect(more).toEqual([]);
      expect(record).toMatchObject({ actor: 'operator' });
      expect(record?.data).toEqual({
        ...{ key_id: keyId(NEW), previous_key_id: keyId(OLD) },
        ...{ values, unreadable: 0 },
        document_digest: values === 0 ? null : expect.stringMatching(/^[0-9a-f]{64}$/),
      });
    }
    const everything = JSON.stringify(await activityOf(org.live, 'master_key.rotated'));
    for (const key of [OLD, NEW]) {
      expect(everything).not.toContain(keyText(key));
      expect(everything).not.toContain(keyBytes(key).toString('hex'));
    }
  });

  it('A change leaves nothing under the old key, even what is sealed while it runs', async () => {
    const organisations = await Promise.all([1, 2, 3].map(() => bed.organisation()));
    const scopes: Scope[] = [];
    for (const { live } of organisations) scopes.push(await sealEveryKind(bed, live));
    const other = await bed.another({ settings: BOTH });
    const changes = organisations.flatMap(({ live }, index) =>
      [bed, other].map(async (instance) => {
        const client = instance.client(live.key);
        for (let n = 0; n < 8; n += 1) {
          const stripe = { signing_secrets: [`whsec_${index}_${n}`] };
          const answer = await client.patch('/settings', { stripe });
          expect(answer.status, answer.text).toBe(200);
        }
      }),
    );
    await Promise.all([rotate(), ...changes]);
    for (const scope of scopes) {
      expect(await countOpening(bed.service.db.ledger(scope), bed.service, ringsOf(NEW))).toBe(3);
    }
  });

  it('A change does nothing if everything is under the new key already', async () => {
    await bed.organisation();
    await rotate();
    expect(await rotate()).toMatchObject({ previous_key_id: null, ledgers: 0, values: 0 });
    expect(await rotate(await checked(NEW))).toMatchObject({ previous_key_id: null, values: 0 });
  });

  it('A change skips a value that opens with neither key, and names it', async () => {
    const org = await bed.organisation();
    const scope = await sealEveryKind(bed, org.live);
    await asOwner(bed, "update accounting_connections set refresh_token = '\\x0102'");
    const { values, unreadable } = await rotate();
    expect(values).toBe(6);
    expect(unreadable).toEqual([
      {
        ledger: expect.stringMatching(/^led_/),
        what: 'the refresh token of the accounting connection company-1',
      },
    ]);
    expect(await countOpening(bed.service.db.ledger(scope), bed.service, ringsOf(NEW))).toBe(2);
    expect((await activityOf(org.live, 'master_key.rotated'))[0]?.data).toMatchObject({
      unreadable: 1,
    });
  });
}

/** What callers keep from before: a page cursor and an Idempotency-Key. */
async function usesOf(instance: Instance, { key }: Client) {
  const client = instance.client(key);
  const marked = { 'idempotency-key': `once ${Math.floor(performance.now() * 1000)}` };
  const made = await client.post('/decisions', DECISION, marked);
  expect(made.status, made.text).toBe(201);
  await client.post('/decisions', DECISION);
  const page: { data: { next_cursor: string } } = JSON.parse(
    (await client.get('/decisions?limit=1')).text,
  );
  return {
    async goesOn(later: Instance) {
      const again = later.client(key);
      const repeated = await again.post('/decisions', DECISION, marked);
      expect(repeated.status).toBe(made.status);
      expect(repeated.header('idempotency-replayed')).toBe('true');
      const next = await again.get(`/decisions?limit=1&cursor=${page.data.next_cursor}`);
      expect(next.status, next.text).toBe(200);
    },
  };
}

async function changeSecret(instance: Instance, { key }: Client): Promise<void> {
  const client = instance.client(key);
  const shown = dataOf(await client.get('/settings'), Settings);
  const secrets = [...shown.stripe.signing_secrets, 'whsec_another'];
  const changed = dataOf(
    await client.patch('/settings', { stripe: { signing_secrets: secrets } }),
    Settings,
  );
  expect(changed.stripe.signing_secrets.slice(0, -1)).toEqual(shown.stripe.signing_secrets);
  await client.patch('/settings', { stripe: { signing_secrets: shown.stripe.signing_secrets } });
}

const DEATHS = { 'between calls': dyingAfter, 'inside a transaction': dyingInside };

function brokenOff(): void {
  it.each(Object.keys(DEATHS))(
    'An interrupted change completes when run again, wherever it was interrupted: %s',
    async (where) => {
      const die = where === 'between calls' ? dyingAfter : dyingInside;
      const org = await bed.organisation();
      const scopes = [await sealEveryKind(bed, org.live), await sealEveryKind(bed, org.test)];
      let former = OLD;
      let deaths = 0;
      for (let calls = 0; ; calls += 1) {
        const next = 20 + calls;
        const keyring = await checked(next, former);
        const run = rotate(keyring, die(bed.service.db, calls));
        const died = await run.then(
          () => false,
          (error: Error) => error.message === 'the process has died',
        );
        for (const scope of scopes)
          await expectOpens(bed.service.db.ledger(scope), bed.service, ringsOf(next, former));
        if (!died) await run;
        const resumed = await rotate(await checked(next, former));
        expect(resumed.unreadable).toEqual([]);
        for (const scope of scopes)
          await expectOpens(bed.service.db.ledger(scope), bed.service, ringsOf(next));
        for (const client of [org.live, org.test]) {
          expect(await activityOf(client, 'master_key.rotated')).toHaveLength(calls + 1);
        }
        if (!died) break;
        deaths += 1;
        former = next;
      }
      expect(deaths).toBeGreaterThanOrEqual(where === 'between calls' ? 5 : 20);
    },
  );

  it('An interrupted change can be reverted to the old key', async () => {
    const org = await bed.organisation();
    const scope = await sealEveryKind(bed, org.live);
    await expect(rotate(await checked(NEW, OLD), dyingAfter(bed.service.db, 3))).rejects.toThrow();
    expect(await rotate(await checked(OLD, NEW))).toMatchObject({ key_id: keyId(OLD) });
    await expectOpens(bed.service.db.ledger(scope), bed.service, ringsOf(OLD));
    expect((await selectKeyState(bed.service.db))?.previous_key_id).toBeNull();
  });

  it('An interrupted change needs the old key until it is completed, and blocks another change until then', async () => {
    await bed.organisation();
    await expect(rotate(await checked(NEW, OLD), dyingAfter(bed.service.db, 2))).rejects.toThrow();
    await expect(checked(NEW)).rejects.toThrow(/LEDGER_MASTER_KEY_PREVIOUS/);
    await expect(checked(9, NEW)).rejects.toThrow(/master-key rotate/);
    await expect(checked(OLD)).rejects.toThrow(/the target of an unfinished rotation/);
    await rotate(await checked(NEW, OLD));
    expect(await rotate(await checked(9, NEW))).toMatchObject({ key_id: keyId(9) });
  });
}

function others(): void {
  it('Two concurrent changes succeed and are recorded once', async () => {
    const org = await bed.organisation();
    const scope = await sealEveryKind(bed, org.live);
    const both = [await checked(NEW, OLD), await checked(NEW, OLD)];
    await Promise.all(both.map((keyring) => rotate(keyring)));
    await expectOpens(bed.service.db.ledger(scope), bed.service, ringsOf(NEW));
    expect(await activityOf(org.live, 'master_key.rotated')).toHaveLength(1);
  });

  it('A change keeps no refresh token that is sealed under the old key at the same time', async () => {
    const org = await bed.organisation();
    const scope = await sealEveryKind(bed, org.live);
    const { db } = bed.service;
    const save = (under: number) =>
      db.ledger(scope).write((tx) => upsertRefreshToken(tx, 'late', '0102', keyId(under)));
    await rotate();
    expect(await save(OLD)).toBe(false);
    expect((await selectConnections(db.ledger(scope))).map((row) => row.connection_id)).toEqual([
      'company-1',
    ]);
    expect(await save(NEW)).toBe(true);
  });

  it('A process without the new key refuses to seal, with the remedy for its operator', async () => {
    const org = await bed.organisation();
    const stale = await bed.another({
      settings: { LEDGER_MASTER_KEY: keyText(OLD), LEDGER_MASTER_KEY_PREVIOUS: '' },
    });
    await rotate();
    const answer = await stale
      .client(org.live.key)
      .patch('/settings', { stripe: { signing_secrets: ['whsec_x'] } });
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('LEDGER_MASTER_KEY');
  });
}

function compared(): void {
  const forget = () =>
    asOwner(bed, 'delete from master_key').then(() => asOwner(bed, 'delete from kept_keys'));

  it('Another master key than the one of the database is refused, without naming either key', async () => {
    const error = await checked(9).catch((refusal: Error) => refusal);
    expect(error).toMatchObject({ name: 'MasterKeyError' });
    expect(String(error)).toMatch(/is not the one of this database.*master-key reset/s);
    expect(String(error)).not.toContain(keyText(9));
  });

  it('Concurrent processes record the key id once', async () => {
    await forget();
    await Promise.all([checked(OLD), checked(OLD), checked(OLD)]);
    expect((await selectKeyState(bed.service.db))?.key_id).toBe(keyId(OLD));
  });

  it('Damage to the keys sealed under the master key is distinguished from a wrong key', async () => {
    await asOwner(bed, "update kept_keys set sealed = '\\x01' where purpose = 'idempotency'");
    await expect(checked(OLD)).rejects.toThrow(/is right for this database.*altered/);
  });
}

function lost(): void {
  const reset = (keyring: Keyring) => resetMasterKey({ ...bed.service, keyring });

  it('A lost master key can be replaced, and what it sealed can be set again', async () => {
    const org = await bed.organisation();
    const scope = await sealEveryKind(bed, org.live);
    expect(await reset(ringsOf(9))).toEqual({ key_id: keyId(9), previous_key_id: keyId(OLD) });
    const later = await bed.another({
      settings: { LEDGER_MASTER_KEY: keyText(9), LEDGER_MASTER_KEY_PREVIOUS: '' },
    });
    const client = later.client(org.live.key);
    expect((await postExport(client)).status).toBe(503);
    await replaceSigningKey(later.service, scope, 'operator');
    expect((await postExport(client)).status).toBe(202);
    await sealEveryKind({ ...bed, ...later }, client);
    expect(await activityOf(client, 'master_key.reset')).toMatchObject([
      { data: { key_id: keyId(9), previous_key_id: keyId(OLD) } },
    ]);
  });

  it('The right master key cannot be given up by mistake', async () => {
    await expect(reset(ringsOf(OLD))).rejects.toThrow(/nothing to reset/);
    await expect(reset(ringsOf(9, OLD))).rejects.toThrow(/nothing to reset/);
  });
}
