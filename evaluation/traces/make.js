// Converts a public trace into a folder for `npm run eval:attribution -- --data`.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { convert, SETS } from './convert.js';

const USAGE = `usage: node evaluation/traces/make.js SET SOURCE OUTPUT [--json]
  SET     what to make, and what SOURCE is for it:
${Object.entries(SETS)
  .map(([name, { source }]) => `            ${name}: ${source}\n`)
  .join('')}  OUTPUT  a folder for the three files; it may hold these files and no others
  --json  prints JSON instead of text
`;

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} args */
async function main(args) {
  const options = readOptions(args);
  if (options === undefined) return 2;
  try {
    const numbers = await convert(options.set, options.source, options.output);
    process.stdout.write(options.json ? `${JSON.stringify(numbers, null, 2)}\n` : toText(numbers));
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}

/** @param {import('./convert.js').Numbers} numbers */
function toText({ set, decisions, events, caused, without_cause }) {
  return `${set}: ${decisions} decisions, ${events} events, ${caused} caused, ${without_cause} without cause\n`;
}

function readOptions(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { json: flag },
      allowPositionals: true,
    });
    const [set, source, output] = positionals;
    if (positionals.length !== 3) throw new Error('SET, SOURCE and OUTPUT are needed');
    if (!Object.hasOwn(SETS, set)) throw new Error(`there is no set named ${set}`);
    return { set, source, output, json: values.json };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return undefined;
  }
}
