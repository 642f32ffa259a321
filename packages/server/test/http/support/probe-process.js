// Run as a process of its own: asks an address every 50 ms how it is, and writes a line of JSON for each
// answer. `cost` tells how much slower than alone the machine runs just then: the wall time of a short
// calculation divided by the CPU time that it took.
import { request } from 'node:http';
import process from 'node:process';

const EVERY_MS = 50;
const SPIN_MS = 3;
const url = new URL('/healthz', process.argv[2]);

function cost() {
  const [wall, cpu] = [process.hrtime.bigint(), process.cpuUsage()];
  let used = 0;
  while (used < SPIN_MS * 1000) {
    const { user, system } = process.cpuUsage(cpu);
    used = user + system;
  }
  return Number(process.hrtime.bigint() - wall) / 1000 / used;
}

function probe() {
  const at = Date.now();
  const started = performance.now();
  const tell = (status) => {
    const ms = Math.round(performance.now() - started);
    process.stdout.write(`${JSON.stringify({ at, ms, status, cost: cost() })}\n`);
    setTimeout(probe, EVERY_MS);
  };
  const sent = request(url, { agent: false }, (answer) => {
    answer.resume().once('end', () => tell(answer.statusCode));
  });
  sent.once('error', () => tell(0));
  sent.end();
}

probe();
