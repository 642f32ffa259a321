import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { completeDatabaseFolder, databaseFolder } from './data-folder.js';
import { readControl } from './inspect/control-file.js';
import { checkLog } from './inspect/log.js';
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
  if (!isUnpacked) await (await openSession(folder)).close();
  await completeDatabaseFolder(dataDir);
}

function openSession(folder: string): Promise<Session> {
  return Session.open({ folder, onFatal: fatal, onOperation });
}

/** PostgreSQL would take a damaged record for the end of the log, and go on without all that follows it. */
function requireIntactLog(folder: string): void {
  const control = readControl(folder);
  if (control === null) throw new Error('the control file is missing or damaged');
  if (control.isShutDown) return;
  const { damage } = checkLog(folder, control, onOperation);
  if (damage !== null) throw new Error(`the write-ahead log is damaged: ${damage}`);
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
const operations = new Uint32Array(settings.operations);
const onOperation = () => void Atomics.add(operations, 0, 1);
/** Exits without clean-up, because PostgreSQL is in an unknown state and must not be called again. */
const fatal: Fatal = (error) => {
  report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
  process.exit(1);
};
if (settings.create) {
  await create(settings);
} else {
  const folder = databaseFolder(settings.dataDir);
  requireIntactLog(folder);
  const session = await openSession(folder);
  const running = await serve(session, settings, fatal);
  parentPort?.on('message', (order) => handleCommand(running, order));
}
report({ type: 'ready' });
