import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { type Config, readConfig } from '../config.js';
import { type NewOrganisation, selectLedgers } from '../domains/access/organisations/index.js';
import { listeningAddress } from '../http/public-address.js';
import type { Http } from '../http/types.js';
import { openService, type Service } from '../service.js';
import { describeKeys, prepareFirstStart } from './first-start.js';
import { CommandError, print, printError, printJson } from './output.js';

/** How long running requests may take after a stop is requested. */
const DRAIN_MS = 30_000;

interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly json?: boolean;
}

/** Runs the service until it is stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  resetSemiSpaceSizeForThreads();
  const { port, host, json = false } = options;
  const config = {
    ...readConfig(process.env),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
  };
  const log = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false }));
  const opening = openService(config, {
    share: false,
    isWorker: config.role !== 'api',
    // The error object holds the connection, so only its message is logged.
    onConnectionError: ({ message }) =>
      log.warn({ reason: message }, 'a database connection broke'),
    onEngineFailure: (error) => {
      log.fatal({ reason: error.message }, 'the embedded engine failed');
      printError(error);
      process.exit(1);
    },
  });
  // Loaded while the database starts in its own thread.
  const loading = Promise.all([import('../app.js'), import('../worker.js')]);
  const service = await opening;
  try {
    const [{ createApp }, { startWatch, startWorker }] = await loading;
    const created =
      config.storage.kind === 'embedded'
        ? await prepareFirstStart(service, config.storage.dataDir)
        : null;
    const app = await createApp(service, config, log);
    await listen(app, config);
    const worker = config.role === 'api' ? null : await startWorker(service, log);
    const watch = startWatch(service, log);
    stopOnSignals(app, async () => {
      await app.close();
      await Promise.all([watch.stop(), worker?.stop()]);
      await service.close();
    });
    const url = config.publicUrl ?? listeningAddress(app.server) ?? 'an address of its own';
    if (json) printJson({ url, role: config.role, organisation: created });
    else await printWelcome(service, url, config, created);
    if (service.isKeyChanging) {
      process.stderr.write(
        'A rotation of the master key is in progress. If it was interrupted, finish it with:\n' +
          '  decision-ledger master-key rotate\n',
      );
    }
  } catch (error) {
    await service.close();
    throw error;
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

async function printWelcome(
  { db }: Service,
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
    if ((await selectLedgers(db)).length > 0) return;
    print('Create an organisation and its keys with: decision-ledger org create NAME');
    return;
  }
  const keys = `${config.storage.dataDir}/keys.json`;
  if (created === null) {
    print(await describeKeys(config.storage.dataDir));
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
