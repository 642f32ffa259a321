import { setFlagsFromString } from 'node:v8';
import { systemCode } from '@decision-ledger/embedded/engine-error';
import type { PreparedDatabase } from '@decision-ledger/embedded/prepared';
import { type Logger, pino } from 'pino';
import { type Config, readConfig } from '../config.js';
import { type NewOrganisation, selectLedgers } from '../domains/access/organisations/index.js';
import { listeningAddress } from '../http/public-address.js';
import { type StartingServer, startingServer } from '../http/starting-server.js';
import type { Http } from '../http/types.js';
import { systemClock } from '../platform/clock.js';
import { type Patience, QUICK } from '../platform/connection.js';
import { damageIn } from '../platform/failures.js';
import { createIdFactory } from '../platform/ids.js';
import { openService, type Service } from '../service.js';
import { explainDamage } from '../storage.js';
import { describeFirstKeys, prepareFirstStart } from './first-start.js';
import { CommandError, print, printError, printJson } from './output.js';

interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly json?: boolean;
}

/** Runs the service until it is stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  const { port, host, json = false } = options;
  const config = {
    ...readConfig(process.env),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
  };
  await runService(config, {
    onReady: async ({ service, url, created }) => {
      if (json) printJson({ url, role: config.role, organisation: created });
      else await printWelcome(service, url, config, created);
      if (service.isKeyChanging) {
        process.stderr.write(
          'A rotation of the master key is in progress. If it was interrupted, finish it with:\n' +
            '  decision-ledger master-key rotate\n',
        );
      }
    },
  });
}

async function printWelcome(
  { installation }: Service,
  url: string,
  config: Config,
  created: NewOrganisation | null,
): Promise<void> {
  if (config.role === 'worker') {
    print(`Decision Ledger works in the background; ${url}/healthz reports its health`);
    return;
  }
  print(`Decision Ledger listens on ${url}`);
  if (config.storage.kind === 'postgres') {
    if ((await selectLedgers(installation)).length > 0) return;
    print('Create an organisation and its keys with: decision-ledger org create NAME');
    return;
  }
  const keys = `${config.storage.dataDir}/keys.json`;
  if (created === null) {
    print(await describeFirstKeys(config.storage.dataDir));
    return;
  }
  print(
    '',
    'The organisation `default` was created. Its keys are shown only once. They are stored in',
    `${keys}:`,
    `  live  ${created.live}`,
    `  test  ${created.test}`,
    '',
    'Record a first decision in the sandbox:',
    '',
    `curl -s ${url}/api/v1/decisions -H 'X-Ledger-Key: ${created.test}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"agent_id":"me","action_type":"printWelcome","inputs":{},"outputs":{},"confidence":0.9}'`,
    '',
  );
}

/** How long running requests may take after a stop is requested. */
const DRAIN_MS = 30_000;

/** A service that listens. */
export interface ReadyService {
  readonly service: Service;
  readonly url: string;
  /** The organisation of a first start; else null. */
  readonly created: NewOrganisation | null;
}

export interface RunOptions {
  /** What a new embedded database is copied from. Default: the empty one of the build. */
  readonly prepared?: PreparedDatabase;
  /** Called once the service listens. */
  readonly onReady: (ready: ReadyService) => Promise<void>;
}

/** Runs the service until it is stopped. */
export async function runService(config: Config, { prepared, onReady }: RunOptions): Promise<void> {
  resetSemiSpaceSizeForThreads();
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const starting = startingServer(config, requestIds());
  const opening = openService(config, {
    share: false,
    isWorker: config.role !== 'api',
    patience: startPatience(config, log, starting),
    ...(prepared !== undefined && { prepared }),
    // The error object holds the connection, so only its message is logged.
    onConnectionError: (error) => {
      if (damageIn(error) === null) {
        log.warn({ reason: error.message }, 'a database connection broke');
      }
    },
    onDamage: (place) =>
      log.fatal(
        { place },
        'the database is damaged: `decision-ledger doctor` lists all that is damaged; restore a backup',
      ),
    onEngineFailure: (error) => {
      log.fatal({ reason: error.message }, 'the embedded engine failed');
      printError(error);
      process.exit(1);
    },
  });
  // Loaded while the database starts in its own thread.
  const loading = Promise.all([import('../app.js'), import('../worker.js')]);
  const service = await opening.finally(() => starting.close());
  try {
    await certify(service, log);
    const [{ createApp }, { startWatch, startWorker }] = await loading;
    const created =
      config.storage.kind === 'embedded'
        ? await prepareFirstStart(service, config.storage.dataDir)
        : null;
    const app = await createApp(service, config, log);
    await listen(app, config);
    service.db.usePatience(QUICK);
    const worker = config.role === 'api' ? null : await startWorker(service, log);
    const watch = startWatch(service, log);
    stopOnSignals(app, async () => {
      await app.close();
      await Promise.all([watch.stop(), worker?.stop()]);
      await service.close();
    });
    const url = config.publicUrl ?? listeningAddress(app.server) ?? 'an address of its own';
    await onReady({ service, url, created });
  } catch (error) {
    await service.close();
    throw explainDamage(config, error);
  }
}

/** A start waits for its database, however long that takes, and says what it waits for. */
function startPatience({ storage }: Config, log: Logger, starting: StartingServer): Patience {
  return {
    // An engine of this process answers in the end, however busy the machine is; if it fails, it says so.
    connectMs: storage.kind === 'embedded' ? 0 : QUICK.connectMs,
    awayMs: Number.POSITIVE_INFINITY,
    noticeMs: 5000,
    onWait(waitedMs, reason = 'the database does not answer yet') {
      const seconds = Math.round(waitedMs / 1000);
      log.warn(`waiting for the database: ${reason}, ${seconds} s`);
      starting.say(`${reason}, ${seconds} s`);
    },
  };
}

/** Of answers that are given before the service is open. */
function requestIds(): () => string {
  const ids = createIdFactory({ clock: systemClock });
  return () => ids.next('req');
}

/**
 * Completes the certificate of the data folder: another process may have made ledgers since. With PostgreSQL, the folder
 * is the memory of this machine alone, and a service without one works as well.
 */
async function certify({ storage, certificate }: Service, log: Logger): Promise<void> {
  try {
    await certificate.issue();
  } catch (error) {
    if (storage.address.kind === 'embedded' || systemCode(error) === undefined) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({ reason }, 'the data folder cannot be written, so it does not remember the database');
  }
}

/**
 * The young generation size on the command line is meant for the main thread, whose heap exists by now.
 * V8 would apply it to every other thread too, overriding the limits they are started with.
 */
function resetSemiSpaceSizeForThreads(): void {
  setFlagsFromString('--max-semi-space-size=0');
}

async function listen(app: Http, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new CommandError(
        `port ${port} is already in use: choose another with --port or LEDGER_PORT`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new CommandError(`cannot listen on ${host}:${port} (${code})`);
    }
    throw error;
  }
}

function stopOnSignals(app: Http, drain: () => Promise<void>): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(130);
    stopping = true;
    process.stderr.write('Stopping after the running requests. Repeat to stop immediately.\n');
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'the service did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
