// The longest piece of the main thread for each operation at its documented maximum:
// node benchmarks/main-thread/run.js [--write] [--only OPERATION,OPERATION] [--share 0.25]
import process from 'node:process';
import { parseArgs } from 'node:util';
import { inRepository, run } from '../support/children.js';
import { describeMachine } from '../support/machine.js';
import { table, writeBetweenMarkers } from '../support/report.js';
import { temporaryFolder } from '../support/service.js';
import { fill, reopen } from './data.js';
import { measureEach, operationsOf, requireCases } from './measure.js';
import { serveMetered } from './service.js';

/** Each request is sent once to a service that has not answered it before, then so often. */
const REPEATS = 3;
const DOCUMENT = 'benchmarks/main-thread/README.md';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    share: { type: 'string', default: '1' },
  },
});
await main();

async function main() {
  await run(process.execPath, [inRepository('packages/server/bin/build.js')]);
  const folder = temporaryFolder();
  const service = await serveMetered(folder.path);
  const only = values.only?.split(',');
  const operations = (await operationsOf(service.url)).filter(
    (name) => only?.includes(name) ?? true,
  );
  requireCases(operations);
  const world = await reopen(await fill(service, Number(values.share)), folder.path);
  const measured = await measureEach(world, { operations, repeats: REPEATS, onMeasured: print });
  await world.stop();
  folder.remove();
  const text = toMarkdown(operations, measured);
  process.stdout.write(`${text}\n`);
  if (values.write) writeBetweenMarkers(inRepository(DOCUMENT), text);
}

/** @param {import('./measure.js').Measured} measured */
function print({ operation, what, status, cold, warm }) {
  const ms = [cold.cpu, warm.cpu].map((cpu) => cpu.toFixed(0).padStart(4)).join(' ');
  process.stdout.write(`${ms}  ${operation.padEnd(26)} ${status} ${what}\n`);
}

/**
 * The worst piece of each operation.
 * @param {readonly string[]} operations
 * @param {readonly import('./measure.js').Measured[]} measured
 */
function toMarkdown(operations, measured) {
  const rows = operations.map((operation) => {
    const own = measured.filter((one) => one.operation === operation);
    const cold = own.reduce((one, other) => (other.cold.cpu > one.cold.cpu ? other : one));
    const warm = own.reduce((one, other) => (other.warm.cpu > one.warm.cpu ? other : one));
    const figures = [cold.cold.cpu, warm.warm.cpu, warm.warm.gc].map((ms) => ms.toFixed(0));
    return [`\`${operation}\``, String(own.length), ...figures, warm.what];
  });
  const { date, processor, cores, system, node } = describeMachine(null);
  return [
    `${date}, ${cores} cores (${processor}), ${system}, Node.js ${node}. Milliseconds of CPU of the main thread.`,
    '',
    ...table(
      ['Operation', 'Requests', 'First', 'Again', 'of it collection', 'The worst again'],
      rows,
    ),
  ].join('\n');
}
