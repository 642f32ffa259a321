// Preloaded into a service: measures how long its main thread works without serving anything else. A piece is what
// happens between two turns of the event loop, in CPU time of the main thread, so that what other processes and
// threads do is not counted. Collection of garbage on the main thread is counted.
import { openSync, readSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** The wait for a piece to begin is at most this long, in ms. Shorter pieces may be measured as one. */
const TURN_MS = 1;
/** The thread is idle if it had no piece above `QUIET_CPU_MS` for `QUIET_MS`; after `PATIENCE_MS` it counts as idle. */
const [QUIET_MS, QUIET_CPU_MS, PATIENCE_MS] = [20, 4, 10_000];

if (isMainThread && process.send !== undefined) serve();

function serve() {
  const readCpu = cpuReader();
  /** @type {{ start: number, end: number }[]} */
  let collections = [];
  const keep = (/** @type {PerformanceEntryList} */ entries) => {
    for (const { startTime, duration } of entries)
      collections.push({ start: startTime, end: startTime + duration });
  };
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let last = { cpu: readCpu(), at: performance.now() };
  let worst = { cpu: 0, start: 0, end: 0 };
  let busyAt = 0;
  const turn = () => {
    const now = { cpu: readCpu(), at: performance.now() };
    const cpu = now.cpu - last.cpu;
    if (cpu > worst.cpu) worst = { cpu, start: last.at, end: now.at };
    if (cpu > QUIET_CPU_MS) busyAt = now.at;
    last = now;
  };
  setInterval(turn, TURN_MS).unref();
  process.on('message', async (message) => {
    turn();
    if (message === 'begin') {
      const started = performance.now();
      while (performance.now() - busyAt < QUIET_MS && performance.now() - started < PATIENCE_MS)
        await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      keep(observer.takeRecords());
      collections = [];
      turn();
      worst = { cpu: 0, start: 0, end: 0 };
      process.send?.('ready');
      return;
    }
    const { cpu, start, end } = worst;
    keep(observer.takeRecords());
    const within = collections.filter((one) => one.start >= start && one.end <= end);
    const gc = within.reduce((sum, one) => sum + one.end - one.start, 0);
    process.send?.({ cpu, gc });
  });
  process.channel?.unref();
}

/** @returns {() => number} ms of CPU that the main thread has used */
function cpuReader() {
  const { threadCpuUsage } = /** @type {any} */ (process);
  if (threadCpuUsage !== undefined) {
    return () => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) / 1000;
    };
  }
  const file = openSync('/proc/thread-self/schedstat', 'r');
  const bytes = Buffer.alloc(64);
  return () => {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return Number.parseInt(bytes.latin1Slice(0, length), 10) / 1e6;
  };
}
