import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { type Config, readConfig } from '../config.js';
import { type NewOrganisation, selectLedgers } from '../domains/access/organisations/index.js';
import { listeningAddress } from '../http/public-address.js';
import type { Http } from '../http/types.js';
import { openService, type Service } from '../service.js';
import { prepareFirstStart, tellKeys } from './first-start.js';
import { CommandError, complain, print, printJson } from './output.js';

/** How long requests under way may take to end once a stop was asked for. */
const DRAIN_MS = 30_000;

interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly json?: boolean;
}

/** Runs the service until it is told to stop. */
export async function serve(options: ServeOptions): Promise<void> {
  letThreadsKeepTheirLimits();
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
    // The error of a connection carries the connection itself: only what it says is logged.
    onConnectionError: ({ message }) =>
      log.warn({ reason: message }, 'a database connection broke'),
    onEngineFailure: (error) => {
      log.fatal({ reason: error.message }, 'the embedded engine failed');
      complain(error);
      process.exit(1);
    },
  });
  // Loaded while the database starts, in a thread of its own.
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
    else await greet(service, url, config, created);
    if (service.isKeyChanging) {
      process.stderr.write(
        'A change of the master key is under way. If it was interrupted, finish it with:\n' +
          '  decision-ledger master-key rotate\n',
      );
    }
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * What the command line says of the young generation is meant for the thread of requests, whose heap
 * exists by now. V8 would give as much to every other thread, whatever limits that one was started with.
 */
function letThreadsKeepTheirLimits(): void {
  setFlagsFromString('--max-semi-space-size=0');
}

async function listen(app: Http, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new CommandError(`port ${port} is taken: choose another with --port or LEDGER_PORT`);
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
    process.stderr.write(
      'Stopping: requests under way are being finished. Again to stop at once.\n',
    );
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        app.log.error({ err: error }, 'the stop was not clean');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

async function greet(
  { db }: Service,
  url: string,
  config: Config,
  created: NewOrganisation | null,
): Promise<void> {
  if (config.role === 'worker') {
    print(`Decision Ledger works in the background; ${url}/healthz tells how it is`);
    return;
  }
  print(`Decision Ledger listens on ${url}`);
  if (config.storage.kind === 'postgres') {
    if ((await selectLedgers(db)).length > 0) return;
    print('Make an organisation and its keys with: decision-ledger org create NAME');
    return;
  }
  const keys = `${config.storage.dataDir}/keys.json`;
  if (created === null) {
    print(await tellKeys(config.storage.dataDir));
    return;
  }
  print(
    '',
    'The organisation `default` was made. Its keys, shown this once and kept in',
    `${keys}:`,
    `  live  ${created.live}`,
    `  test  ${created.test}`,
    '',
    'Record a first decision in the sandbox:',
    '',
    `curl -s ${url}/api/v1/decisions -H 'X-Ledger-Key: ${created.test}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"agent_id":"me","action_type":"greet","inputs":{},"outputs":{},"confidence":0.9}'`,
    '',
  );
}
