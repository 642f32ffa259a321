import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { draftFolder } from '../backup/draft-folder.js';
import type { Manifest } from '../backup/manifest.js';
import { type BackupArchive, openBackup } from '../backup/read-archive.js';
import { readConfig } from '../config.js';
import { selectLedgers } from '../domains/access/organisations/index.js';
import { uuidToId } from '../platform/ids.js';
import { readMigrations } from '../platform/migrate.js';
import { openService, type Service } from '../service.js';
import { CommandError, print, printError, printJson, progressBar } from './output.js';
import { compareLedger, type LossReport, type RestoredOptions, readExpected } from './restored.js';
import { areValid, type ChainReport, linesOf, reportLedger, toJson } from './verify.js';

export interface RestoreOptions extends RestoredOptions {
  readonly data: string;
  /** The folder of the last checkpoints that the former data folder knows to be signed. */
  readonly signed?: string;
}

interface Outcome {
  readonly reports: readonly ChainReport[];
  /** Heads that differ from those that the backup states. */
  readonly differences: readonly string[];
  readonly loss: LossReport | null;
}

/**
 * Unpacks a backup into a new data folder, which gets its name when everything was checked. Sets exit code 1 if a chain
 * is broken, or records are missing whose loss is not accepted.
 */
export async function restore(file: string, options: RestoreOptions): Promise<void> {
  readExpected(options, null);
  const archive = await openBackup(file);
  try {
    const { manifest } = archive;
    await requireKnownSchema(manifest);
    const draft = await draftFolder(options.data);
    try {
      await unpack(archive, draft.path);
      if (options.signed !== undefined) await draft.takeSigned(options.signed);
      const outcome = await examine(draft.path, manifest, options);
      await draft.keep();
      report(manifest, outcome, options);
    } finally {
      await draft.discard();
    }
  } finally {
    await archive.close();
  }
}

async function requireKnownSchema({ migration, product_version }: Manifest): Promise<void> {
  const known = (await readMigrations()).length;
  if (migration <= known) return;
  throw new CommandError(
    `the backup was made by release ${product_version} with schema version ${migration}, newer than this release ` +
      `supports (${known}): restore it with that release`,
  );
}

async function unpack(archive: BackupArchive, folder: string): Promise<void> {
  const bar = progressBar('restore');
  try {
    await archive.extract(folder, (bytes, of) => bar.update(bytes >> 20, of >> 20));
  } finally {
    bar.stop();
  }
}

/** Opens the unpacked database, which migrates it, and verifies every chain. */
async function examine(
  folder: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<Outcome> {
  const service = await openService(configOf(folder, manifest), {
    ...{ share: false, needsKey: false, opensUnaccepted: true },
    onConnectionError: printError,
    onEngineFailure: printError,
  });
  try {
    const reports: ChainReport[] = [];
    for (const ledger of await selectLedgers(service.installation)) {
      reports.push(...(await reportLedger(service, ledger, null)));
    }
    const differences = await differencesFrom(service, manifest, reports);
    const loss = await compareLedger(service, options, manifest.made_at);
    await service.certificate.issue();
    return { reports, differences, loss };
  } finally {
    await service.close();
  }
}

/** Verification needs no secret. Without a key, the engine would make one, which is not that of the database. */
function configOf(folder: string, { has_master_key }: Manifest) {
  const { DATABASE_URL: _, ...environment } = process.env;
  const config = readConfig({ ...environment, LEDGER_DATA_DIR: folder });
  const masterKey = has_master_key ? null : randomBytes(32).toString('base64');
  return { ...config, masterKey: config.masterKey ?? masterKey };
}

async function differencesFrom(
  { installation }: Service,
  { ledgers }: Manifest,
  reports: readonly ChainReport[],
): Promise<string[]> {
  const restored = await selectLedgers(installation);
  const extra = restored
    .map(({ ledger_id }) => uuidToId('led', ledger_id))
    .filter((id) => !ledgers.some(({ ledger }) => ledger === id))
    .map((id) => `the backup does not state the ledger ${id}`);
  const differing = ledgers.flatMap((stated) =>
    (['decisions', 'activity'] as const).flatMap((chain) => {
      const found = reports.find((one) => one.ledger === stated.ledger && one.chain === chain);
      const { seq, hash } = stated[chain];
      if (found?.head.seq === seq && found.head.hash === hash) return [];
      const actual = found === undefined ? 'no such chain' : `${found.head.seq} ${found.head.hash}`;
      return [
        `${stated.ledger} ${chain}: the backup states ${seq} ${hash}, restored was ${actual}`,
      ];
    }),
  );
  return [...extra, ...differing];
}

function report(manifest: Manifest, outcome: Outcome, options: RestoreOptions): void {
  const { reports, differences, loss } = outcome;
  const isValid = areValid(reports) && differences.length === 0;
  const folder = resolve(options.data);
  if (options.json === true) {
    const { made_at, product_version, has_master_key } = manifest;
    printJson({
      ...{ folder, made_at, product_version, has_master_key, is_valid: isValid },
      ...{ chains: reports.map(toJson), differences, loss: loss?.json ?? null },
    });
  } else {
    print(`${folder} holds the backup of ${manifest.made_at}.`);
    for (const chain of reports) print(...linesOf(chain));
    print(...differences, ...(loss?.lines ?? []));
    if (!manifest.has_master_key) {
      print(
        `The backup has no master key: put it into ${folder}/master.key, or set LEDGER_MASTER_KEY, before you ` +
          'start the service.',
      );
    }
  }
  if (!isValid || loss?.isOpen === true) process.exitCode = 1;
}
