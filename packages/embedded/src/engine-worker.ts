import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { completeDatabaseFolder, databaseFolder } from './data-folder.js';
import { Maintenance } from './maintenance.js';
import { unpackDatabase } from './prepared.js';
import { Scheduler } from './scheduler.js';
import { type Fatal, Session } from './session.js';
import { WireServer } from './wire-server.js';
import {
  parseCommand,
  parseSettings,
  type WorkerReport,
  type WorkerSettings,
} from './worker-messages.js';

const TICK_MS = 1_000;

interface Running {
  counters(): WorkerReport;
  stop(): Promise<void>;
}

/** Runs PostgreSQL and its server in this thread. */
async function serve(session: Session, settings: WorkerSettings, fatal: Fatal): Promise<Running> {
  const isHeld = () => server.holdsCheckpoints;
  const maintenance = new Maintenance(session, () => performance.now(), isHeld);
  const scheduler = new Scheduler(session, {
    idleTransactionMs: settings.idleTransactionMs,
    betweenUnits: () => maintenance.betweenUnits(),
    afterTick: () => maintenance.tick(),
    fatal,
  });
  const server: WireServer = new WireServer(scheduler, session.parameters);
  await server.listen(settings.socketPath);
  const tick = setInterval(() => scheduler.tick(), TICK_MS);
  return {
    counters: () => ({ type: 'counters', ...session.counters }),
    async stop() {
      clearInterval(tick);
      await server.close(settings.socketPath);
      await session.close();
      report({ type: 'stopped' });
    },
  };
}

/** Creates the database in a separate thread, because the memory it needs is not released. */
async function create({ dataDir, prepared }: WorkerSettings): Promise<void> {
  const folder = databaseFolder(dataDir);
  const isUnpacked = prepared !== null && (await unpackDatabase(prepared, folder));
  if (!isUnpacked) await (await Session.open(folder, fatal)).close();
  await completeDatabaseFolder(dataDir);
}

function handleCommand(running: Running, order: unknown): void {
  if (parseCommand(order) === 'counters') report(running.counters());
  // A rejection ends the thread, which the parent reports as a failed stop.
  else void running.stop();
}

function report(message: WorkerReport): void {
  parentPort?.postMessage(message);
}

/** PostgreSQL asks its thread for the time through this one function. */
function followTime(shared: SharedArrayBuffer): void {
  const time = new BigInt64Array(shared);
  Object.defineProperty(Date, 'now', { value: () => Number(Atomics.load(time, 0)) });
}

const settings = parseSettings(workerData);
if (settings.time !== null) followTime(settings.time);
/** Exits without clean-up, because PostgreSQL is in an unknown state and must not be called again. */
const fatal: Fatal = (error) => {
  report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
  process.exit(1);
};
if (settings.create) {
  await create(settings);
} else {
  const session = await Session.open(databaseFolder(settings.dataDir), fatal);
  const running = await serve(session, settings, fatal);
  parentPort?.on('message', (order) => handleCommand(running, order));
}
report({ type: 'ready' });
