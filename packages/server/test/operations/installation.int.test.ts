import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareFirstStart } from '#server/cli/first-start';
import { readConfig } from '#server/config';
import { createOrganisation, selectLedgers } from '#server/domains/access/organisations/index';
import { signRound } from '#server/domains/evidence/transparency/index';
import { recordActivity } from '#server/domains/log/activity/index';
import { CERTIFICATE, readCertificate } from '#server/installation/certificate';
import { uuidToId } from '#server/platform/ids';
import { toScope } from '#server/platform/principal';
import { openService, type Service, type ServiceOptions } from '#server/service';

const root = mkdtempSync(join(tmpdir(), 'decision-ledger-installation-'));
/** A folder at rest: an organisation, and checkpoints of two records of activity and of three. */
const born = join(root, 'born');
/** The database of `born` after the first checkpoints. */
const older = join(root, 'older');
const other = join(root, 'other');
let ledger = '';
let count = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs work on the service of a folder, as a start does. */
async function opened<Result>(
  dataDir: string,
  work: (service: Service) => Promise<Result>,
  options: Partial<ServiceOptions> = {},
): Promise<Result> {
  const fail = (error: Error) => console.error(error);
  const service = await openService(readConfig({ LEDGER_DATA_DIR: dataDir }), {
    ...{ share: false, onConnectionError: fail, onEngineFailure: fail, ...options },
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/** A start of the service. @returns whether it was the first one */
const start = (dataDir: string) =>
  opened(dataDir, async (service) => {
    await service.certificate.issue();
    return (await prepareFirstStart(service, dataDir)) !== null;
  });

/** Signs a checkpoint of what there is; the round itself adds to the activity. */
async function sign(service: Service): Promise<void> {
  const [first] = await selectLedgers(service.installation);
  if (first === undefined) throw new Error('there is no ledger');
  ledger = uuidToId('led', first.ledger_id);
  await signRound(service.db.ledger(toScope(first)), service, new AbortController().signal);
}

beforeAll(async () => {
  await start(born);
  await opened(born, sign);
  cpSync(born, older, { recursive: true });
  await opened(born, async (service) => {
    const [first] = await selectLedgers(service.installation);
    if (first === undefined) throw new Error('there is no ledger');
    const scope = toScope(first);
    await service.db.ledger(scope).write((tx) =>
      recordActivity(tx, {
        ...{ type: 'key.revoked', actor: 'operator', subject: 'none', data: {} },
      }),
    );
    await sign(service);
  });
  await start(other);
});

/** A copy of the folder, changed. */
function changed(change: (dataDir: string) => void, from = born): string {
  count += 1;
  const dataDir = join(root, `changed-${count}`);
  cpSync(from, dataDir, { recursive: true });
  change(dataDir);
  return dataDir;
}

const remove = (dataDir: string, ...names: string[]) => {
  for (const name of names) rmSync(join(dataDir, name), { recursive: true });
};
const replace = (dataDir: string, name: string, from: string) => {
  remove(dataDir, name);
  cpSync(join(from, name), join(dataDir, name), { recursive: true });
};

/** Every file of the folder beside the database, but for its locks. */
function filesOf(dataDir: string): Record<string, string> {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  const own = names.filter((name) => !/^(?:pg|lock\.|alive-|ledger\.sock)/.test(name));
  return Object.fromEntries(
    own.sort().map((name) => {
      const path = join(dataDir, name);
      const isFolder = readdirSync(join(path, '..'), { withFileTypes: true }).some(
        (entry) => entry.name === name.split('/').at(-1) && entry.isDirectory(),
      );
      return [name, isFolder ? 'folder' : readFileSync(path, 'utf8')];
    }),
  );
}

/** The message of a refused start, which leaves everything as it was. */
async function refusal(dataDir: string, name: string): Promise<string> {
  const [before, hadDatabase] = [filesOf(dataDir), existsSync(join(dataDir, 'pg'))];
  const error: unknown = await start(dataDir).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ name });
  expect(filesOf(dataDir)).toEqual(before);
  expect(existsSync(join(dataDir, 'pg'))).toBe(hadDatabase);
  return error instanceof Error ? error.message : '';
}

describe('A start on a data folder', () => {
  it('A first start certifies its ledgers, and a later one starts', async () => {
    const certificate = readCertificate(born);
    expect(
      certificate?.ledgers.map(({ organisation_name, mode }) => [organisation_name, mode]),
    ).toEqual([
      ['default', 'live'],
      ['default', 'test'],
    ]);
    expect(certificate?.ledgers[0]?.ledger).toBe(ledger);
    const copy = changed(() => undefined);
    expect(await start(copy)).toBe(false);
    expect(readCertificate(copy)).toEqual(certificate);
  });

  it('A folder whose database was removed is refused, whatever else of it is left', async () => {
    const bare = changed((dataDir) => remove(dataDir, 'pg'));
    const text = await refusal(bare, 'InstallationError');
    expect(text).toContain(
      `its certificate names the ledger ${ledger} (default, live) and another one`,
    );
    expect(text).toContain('decision-ledger restore FILE --data FOLDER');
    expect(text).toContain('move this folder away');
    const signed = changed((dataDir) =>
      remove(dataDir, 'pg', CERTIFICATE, 'master.key', 'keys.json'),
    );
    expect(await refusal(signed, 'InstallationError')).toContain('-activity-1.note');
    const key = changed((dataDir) => remove(dataDir, 'pg', CERTIFICATE, 'signed', 'keys.json'));
    expect(await refusal(key, 'InstallationError')).toContain('it has master.key');
    const emptied = changed((dataDir) => {
      remove(dataDir, 'pg');
      mkdirSync(join(dataDir, 'pg'));
    });
    expect(await refusal(emptied, 'InstallationError')).toContain('is missing');
  });

  it('A database that is older than the folder is refused with both sizes', async () => {
    const dataDir = changed((folder) => replace(folder, 'pg', older));
    const text = await refusal(dataDir, 'RestoredLedgerError');
    expect(text).toMatch(
      new RegExp(
        `${ledger}: the chain of activity has \\d+ records, and this machine signed a checkpoint of \\d+`,
      ),
    );
    expect(text).toContain(`restored --ledger ${ledger} --accept-loss REASON`);
  });

  it('A database with another history of the same length is refused', async () => {
    const dataDir = changed((folder) => {
      const [name = ''] = readdirSync(join(folder, 'signed')).filter((file) =>
        file.includes('activity'),
      );
      const path = join(folder, 'signed', name);
      const [origin, size, , ...rest] = readFileSync(path, 'utf8').split('\n');
      const root = Buffer.alloc(32, 1).toString('base64');
      writeFileSync(path, [origin, size, root, ...rest].join('\n'));
    });
    expect(await refusal(dataDir, 'RestoredLedgerError')).toContain('it has another history');
  });

  it('The database of another installation is refused, and so is one without the ledger', async () => {
    const foreign = changed((folder) => replace(folder, 'pg', other));
    const text = await refusal(foreign, 'InstallationError');
    expect(text).toContain(`belongs to the installation ${readCertificate(born)?.installation_id}`);
    expect(text).toContain(`${readCertificate(other)?.installation_id}`);
    const unsigned = changed((folder) => {
      replace(folder, 'pg', other);
      replace(folder, CERTIFICATE, other);
      replace(folder, 'master.key', other);
    });
    expect(await refusal(unsigned, 'InstallationError')).toMatch(
      new RegExp(
        `lacks the ledger ${ledger}: it has 0 records of its chain of activity, of which this machine signed \\d+`,
      ),
    );
  });

  it('A missing, damaged or unreadable certificate is refused', async () => {
    const missing = changed((folder) => remove(folder, CERTIFICATE));
    expect(await refusal(missing, 'InstallationError')).toContain(
      'certify it with `decision-ledger certify`',
    );
    const cut = changed((folder) => {
      const text = readFileSync(join(folder, CERTIFICATE), 'utf8');
      writeFileSync(join(folder, CERTIFICATE), text.slice(0, 200));
    });
    expect(await refusal(cut, 'InstallationError')).toContain('is damaged');
    const unreadable = changed((folder) => {
      remove(folder, CERTIFICATE);
      mkdirSync(join(folder, CERTIFICATE));
    });
    expect(await refusal(unreadable, 'InstallationError')).toContain('cannot be read (EISDIR)');
  });

  it('A missing master key is not replaced by another one, and work without secrets runs', async () => {
    const dataDir = changed((folder) => remove(folder, 'master.key'));
    expect(await refusal(dataDir, 'MasterKeyError')).toContain('master-key reset --lost');
    await opened(dataDir, async ({ installation }) => void (await selectLedgers(installation)), {
      needsKey: false,
    });
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false);
    await opened(dataDir, async () => undefined, { needsKey: false, replacesKey: true });
    expect(existsSync(join(dataDir, 'master.key'))).toBe(true);
  });
});

describe('A first start that is killed', () => {
  /** The states of a first start in their order, each made of a folder at rest. */
  const unborn = join(root, 'unborn');
  const unbornToo = join(root, 'unborn-too');
  beforeAll(async () => {
    // A database without an organisation, as the start leaves it before it names its master key.
    await opened(unborn, async () => undefined, { needsKey: false });
    await opened(unbornToo, async () => undefined);
  });
  const states: Readonly<Record<string, (dataDir: string) => void>> = {
    'an empty folder': (dataDir) => remove(dataDir, ...readdirSync(dataDir)),
    'a draft of the certificate': (dataDir) => {
      remove(dataDir, ...readdirSync(dataDir));
      writeFileSync(join(dataDir, `.draft-${CERTIFICATE}`), '{"format"');
    },
    'the certificate alone': (dataDir) => remove(dataDir, 'pg', 'master.key'),
    'an incomplete database': (dataDir) => {
      remove(dataDir, 'master.key');
      remove(join(dataDir, 'pg'), 'global');
      writeFileSync(join(dataDir, 'pg.incomplete'), '');
    },
    'a database without a key': (dataDir) => remove(dataDir, 'master.key'),
    'a database and its key': () => undefined,
    'a certificate of another attempt': (dataDir) => replace(dataDir, CERTIFICATE, unbornToo),
    'keys of an organisation that was not committed': (dataDir) =>
      writeFileSync(join(dataDir, 'keys.json'), '{"live":"x","test":"y"}\n'),
  };

  for (const [what, change] of Object.entries(states)) {
    it(`It is completed by the next one from ${what}`, async () => {
      const dataDir = changed(change, unborn);
      expect(await start(dataDir)).toBe(true);
      expect(readCertificate(dataDir)?.ledgers).toHaveLength(2);
      expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).not.toContain('"x"');
      expect(await start(dataDir)).toBe(false);
    });
  }

  it('A master key that the database names is not replaced, although there is no organisation', async () => {
    const dataDir = changed((folder) => remove(folder, 'master.key'), unbornToo);
    expect(await refusal(dataDir, 'MasterKeyError')).toContain('master.key is missing');
  });

  it('Ledgers that were committed and not yet certified are certified by the next one', async () => {
    const dataDir = changed((folder) =>
      cpSync(join(unborn, CERTIFICATE), join(folder, CERTIFICATE)),
    );
    expect(readCertificate(dataDir)?.ledgers).toEqual([]);
    expect(await start(dataDir)).toBe(false);
    expect(readCertificate(dataDir)).toEqual(readCertificate(born));
  });

  it('An organisation whose certificate cannot be written is not acknowledged', async () => {
    const dataDir = changed(() => undefined);
    await opened(dataDir, async (service) => {
      mkdirSync(join(dataDir, `.draft-${CERTIFICATE}`));
      await expect(createOrganisation(service, service.db, 'second')).rejects.toThrow('EISDIR');
      rmSync(join(dataDir, `.draft-${CERTIFICATE}`), { recursive: true });
      await createOrganisation(service, service.db, 'third');
    });
    const names = readCertificate(dataDir)?.ledgers.map((one) => one.organisation_name);
    expect(new Set(names)).toEqual(new Set(['default', 'second', 'third']));
  });

  it('A folder that cannot be written is named, and stays as it is', async () => {
    const dataDir = changed((folder) => {
      remove(folder, ...readdirSync(folder));
      mkdirSync(join(folder, `.draft-${CERTIFICATE}`));
    });
    expect(await refusal(dataDir, 'EngineError')).toContain(
      `The data folder ${dataDir} cannot be used`,
    );
  });

  it('A database that names no installation is refused like any other without its certificate', async () => {
    const dataDir = changed(() => undefined);
    const { ownerLogin } = await import('#server/platform/connection');
    const { withClient } = await import('../support/stored-chain.js');
    await opened(dataDir, async ({ storage }) => {
      await withClient(ownerLogin(storage.address).client, (client) =>
        client.query('delete from installation'),
      );
    });
    remove(dataDir, CERTIFICATE);
    expect(await refusal(dataDir, 'InstallationError')).toContain('has no installation.json');
  });
});
