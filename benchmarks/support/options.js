import { parseArgs } from 'node:util';

const USAGE = (/** @type {Names} */ { phases, cases }) => `usage: npm run bench -- [options]
  --smoke        one request on each connection, tiny sizes: only whether everything runs
  --only NAMES   some of ${phases.join(', ')}, with commas
  --json FILE    writes the results there too
  --profile DIR  a CPU profile of each service that is measured on PostgreSQL
  --against REV  compares the CPU with that of a revision instead; fails above 5 % more beyond doubt.
                 --only names some of ${cases.join(', ')}`;

/** @typedef {{ phases: readonly string[], cases: readonly string[] }} Names */

/**
 * @param {readonly string[]} args
 * @param {Names} names
 * @throws with the usage in the message
 */
export function readOptions(args, names) {
  const options = /** @type {const} */ ({
    smoke: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    profile: { type: 'string' },
    against: { type: 'string' },
  });
  let values;
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${USAGE(names)}`);
  }
  const only = values.only?.split(',').map((name) => name.trim());
  const known = values.against === undefined ? names.phases : names.cases;
  const unknown = only?.filter((name) => !known.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}\n${USAGE(names)}`);
  return { ...values, smoke: values.smoke === true, only };
}
