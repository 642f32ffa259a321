import { performance } from 'node:perf_hooks';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { completeDatabaseFolder, databaseFolder } from './data-folder.js';
import { Maintenance } from './maintenance.js';
import { Scheduler } from './scheduler.js';
import { Session } from './session.js';
import { WireServer } from './wire-server.js';
import {
  parseOrder,
  parseSettings,
  type WorkerReport,
  type WorkerSettings,
} from './worker-messages.js';

const TICK_MS = 1_000;

interface Running {
  report(message: WorkerReport): void;
  counters(): WorkerReport;
  stop(): Promise<void>;
}

/** The engine's thread: PostgreSQL, and the server that its clients talk to. */
async function start(port: MessagePort, settings: WorkerSettings): Promise<Running> {
  const report = (message: WorkerReport) => port.postMessage(message);
  /** PostgreSQL may be in any state then, and must not be called again: no clean-up. */
  const fatal = (error: unknown): never => {
    report({ type: 'failed', reason: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  };
  const session = await Session.open(databaseFolder(settings.dataDir), fatal);
  if (settings.create) completeDatabaseFolder(settings.dataDir);
  const maintenance = new Maintenance(session, () => performance.now());
  const scheduler = new Scheduler(session, {
    idleTransactionMs: settings.idleTransactionMs,
    betweenUnits: () => maintenance.betweenUnits(),
    afterTick: () => maintenance.tick(),
    fatal,
  });
  const server = new WireServer(scheduler, session.parameters);
  await server.listen(settings.socketPath);
  const tick = setInterval(() => scheduler.tick(), TICK_MS);
  return {
    report,
    counters: () => ({ type: 'counters', ...session.counters }),
    async stop() {
      clearInterval(tick);
      await server.close(settings.socketPath);
      await session.close();
      report({ type: 'stopped' });
      port.close();
    },
  };
}

function obey(running: Running, order: unknown): void {
  if (parseOrder(order) === 'counters') running.report(running.counters());
  // A rejection ends the thread, which the parent takes for a failed stop.
  else void running.stop();
}

if (parentPort === null) throw new Error('the engine runs in a worker thread only');
const port = parentPort;
const running = await start(port, parseSettings(workerData));
port.on('message', (order) => obey(running, order));
running.report({ type: 'ready' });
