import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '#server/config';
import { createOrganisation, selectLedgers } from '#server/domains/access/organisations/index';
import { acceptLoss } from '#server/domains/evidence/restores/index';
import { findForgotten, signRound } from '#server/domains/evidence/transparency/index';
import { recordActivity } from '#server/domains/log/activity/index';
import { readCertificate } from '#server/installation/certificate';
import { toScope } from '#server/platform/principal';
import { openService, type Service } from '#server/service';
import {
  copyDatabase,
  createDatabase,
  createMigratedDatabase,
  describePostgres,
} from '../support/postgres.js';
import { NAMES, SCHEMA } from '../support/postgres-names.js';
import type { TestDatabase } from '../support/postgres-server.js';
import { startService } from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

const LEDGER_MASTER_KEY = Buffer.alloc(32, 5).toString('base64');

describePostgres('A database on PostgreSQL and the folder of a machine', () => {
  const root = mkdtempSync(join(tmpdir(), 'decision-ledger-machines-'));
  const databases: TestDatabase[] = [];
  let whole: TestDatabase;
  let older: TestDatabase;
  const machine = join(root, 'machine');

  /** Runs work as a process of the service, which certifies at its start. */
  async function serving<Result>(
    { url }: TestDatabase,
    dataDir: string,
    work: (service: Service) => Promise<Result>,
    opensUnaccepted = false,
  ): Promise<Result> {
    const fail = (error: Error) => console.error(error);
    const environment = { ...NAMES, DATABASE_URL: url, LEDGER_DATA_DIR: dataDir };
    const service = await openService(readConfig({ ...environment, LEDGER_MASTER_KEY }), {
      ...{ share: false, opensUnaccepted, onConnectionError: fail, onEngineFailure: fail },
    });
    try {
      if (!opensUnaccepted) await service.certificate.issue();
      return await work(service);
    } finally {
      await service.close();
    }
  }

  const nothing = async () => undefined;
  const databaseOf = async (making: Promise<TestDatabase>) => {
    const database = await making;
    databases.push(database);
    return database;
  };

  async function scopeOf({ installation }: Service) {
    const [first] = await selectLedgers(installation);
    if (first === undefined) throw new Error('there is no ledger');
    return toScope(first);
  }

  async function sign(service: Service): Promise<void> {
    const scope = await scopeOf(service);
    const note = { type: 'key.revoked', actor: 'operator', subject: 'none', data: {} } as const;
    await service.db.ledger(scope).write((tx) => recordActivity(tx, note));
    await signRound(service.db.ledger(scope), service, new AbortController().signal);
  }

  beforeAll(async () => {
    whole = await databaseOf(createMigratedDatabase());
    await serving(whole, machine, async (service) => {
      await createOrganisation(service, service.db, 'acme');
      await sign(service);
    });
    older = await databaseOf(copyDatabase(whole));
    await serving(whole, machine, sign);
  });
  afterAll(async () => {
    for (const database of databases) await database.drop();
    rmSync(root, { recursive: true });
  });

  it('The folder certifies what the database has, and a new folder is fine', async () => {
    expect(readCertificate(machine)?.ledgers.map(({ mode }) => mode)).toEqual(['live', 'test']);
    const fresh = join(root, 'fresh');
    await serving(whole, fresh, nothing);
    expect(readCertificate(fresh)).toEqual(readCertificate(machine));
  });

  it('A database that was emptied or replaced is refused', async () => {
    const empty = await databaseOf(createMigratedDatabase());
    await expect(serving(empty, machine, nothing)).rejects.toThrow(
      /the database lacks the ledger led_\w+ \(acme, live\) and another one.*emptied, replaced, or is older.*LEDGER_DATA_DIR/,
    );
    const bare = await databaseOf(createDatabase());
    await expect(serving(bare, machine, nothing)).rejects.toThrow('the database lacks the ledger');
    const tables = `select from pg_tables where schemaname = '${SCHEMA}'`;
    const found = await withClient({ connectionString: bare.url }, (client) =>
      client.query(tables),
    );
    expect(found.rowCount).toBe(0);
    const other = await databaseOf(createMigratedDatabase());
    await serving(other, join(root, 'other'), (service) =>
      createOrganisation(service, service.db, 'other'),
    );
    await expect(serving(other, machine, nothing)).rejects.toThrow(
      `${machine} belongs to the installation ${readCertificate(machine)?.installation_id}`,
    );
    const signedOnly = join(root, 'signed-only');
    mkdirSync(signedOnly);
    cpSync(join(machine, 'signed'), join(signedOnly, 'signed'), { recursive: true });
    await expect(serving(empty, signedOnly, nothing)).rejects.toThrow(
      /lacks the ledger led_\w+: it has 0 records .* this machine signed \d+/,
    );
    expect(readCertificate(signedOnly)).toBeNull();
  });

  it('An older database is refused with both sizes, until its loss is accepted', async () => {
    await expect(serving(older, machine, nothing)).rejects.toThrow(
      /the chain of activity has \d+ records, and this machine signed a checkpoint of \d+/,
    );
    await serving(
      older,
      machine,
      async (service) => {
        const forgotten = (await findForgotten(service, service.signedNotes)).map(
          ({ note }) => note,
        );
        const acceptance = { reason: 'the disk failed', acceptsFork: true, forgotten };
        expect(await acceptLoss(service.db.ledger(await scopeOf(service)), acceptance)).toBe(true);
        for (const note of forgotten) await service.signedNotes.setAside(note);
      },
      true,
    );
    await serving(older, machine, sign);
    await serving(older, machine, nothing);
  });

  it('A folder that cannot be made is no obstacle', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const service = await startService({
      ...{ ...NAMES, DATABASE_URL: whole.url, LEDGER_MASTER_KEY },
      LEDGER_DATA_DIR: join(file, 'below'),
    });
    await service.stop();
    expect(service.output()).toContain('so it does not remember the database');
  });
});
