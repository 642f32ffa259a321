import { Worker } from 'node:worker_threads';
import {
  parseReport,
  type WorkerCommand,
  type WorkerReport,
  type WorkerSettings,
} from './worker-messages.js';

type Waiter = {
  readonly type: WorkerReport['type'];
  readonly resolve: (report: WorkerReport) => void;
  readonly reject: (error: Error) => void;
};

/** The handle of the engine's thread in the parent thread. */
export class EngineThread {
  readonly #worker: Worker;
  readonly #waiters: Waiter[] = [];
  readonly #ended: Promise<void>;
  #failure: Error | null = null;
  /** Whether the thread has started and has not been asked to stop. */
  #runs = false;

  constructor(
    settings: WorkerSettings,
    private readonly onFailure: (error: Error) => void,
  ) {
    this.#worker = new Worker(new URL('./engine-worker.js', import.meta.url), {
      workerData: settings,
      name: 'database engine',
      // Flags of this process, such as those for a script, do not apply to the thread.
      execArgv: [],
    });
    this.#worker.on('message', (message: unknown) => this.#receive(parseReport(message)));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#fail(new Error('the thread of the database engine ended'));
        resolve();
      });
    });
  }

  /** Resolves when the engine accepts connections, however long that takes. */
  async ready(): Promise<void> {
    await this.#next('ready');
    this.#runs = true;
  }

  async counters(): Promise<{ fsyncs: number; walBytes: number }> {
    const report = this.#next('counters');
    this.#send('counters');
    const answer = await report;
    return answer.type === 'counters' ? answer : { fsyncs: 0, walBytes: 0 };
  }

  /** Stops the engine cleanly; after a failure it only waits for the thread to end. */
  async stop(): Promise<void> {
    this.#runs = false;
    if (this.#failure === null) {
      const stopped = this.#next('stopped');
      this.#send('stop');
      await stopped.catch(() => undefined);
    }
    await this.kill();
  }

  async kill(): Promise<void> {
    this.#runs = false;
    await this.#worker.terminate();
    await this.#ended;
  }

  #send(order: WorkerCommand): void {
    this.#worker.postMessage(order);
  }

  #next(type: WorkerReport['type']): Promise<WorkerReport> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => this.#waiters.push({ type, resolve, reject }));
  }

  #receive(report: WorkerReport): void {
    if (report.type === 'failed') {
      this.#fail(new Error(report.reason));
      return;
    }
    const index = this.#waiters.findIndex(({ type }) => type === report.type);
    this.#waiters.splice(index, index < 0 ? 0 : 1)[0]?.resolve(report);
  }

  /** Keeps the first error; later ones are its consequences. */
  #fail(error: Error): void {
    if (this.#failure !== null) return;
    this.#failure = error;
    for (const { reject } of this.#waiters.splice(0)) reject(error);
    if (this.#runs) this.onFailure(error);
  }
}
