import { createProgram } from './cli/program.js';

/** Exit code 1 is reserved for broken chains. */
const USAGE_ERROR = 2;

const program = createProgram((code) => process.exit(code === 0 ? 0 : USAGE_ERROR));

/** Without arguments, the program is the service. */
const args = process.argv.length > 2 ? process.argv : [...process.argv, 'serve'];

try {
  await program.parseAsync(args);
} catch (error) {
  const { exitCodeOf, explain } = await import('./cli/output.js');
  process.stderr.write(`decision-ledger: ${explain(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
