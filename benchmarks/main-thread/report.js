import { describeMachine } from '../support/machine.js';
import { table } from '../support/report.js';

/**
 * The worst piece of each operation.
 * @param {readonly string[]} operations
 * @param {readonly import('./measure.js').Measured[]} measured
 */
export function toMarkdown(operations, measured) {
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
