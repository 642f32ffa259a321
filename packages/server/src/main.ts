import { createProgram } from './cli/program.js';

/** 1 says that a chain is broken, and nothing else. */
const USAGE_ERROR = 2;

const program = createProgram((code) => process.exit(code === 0 ? 0 : USAGE_ERROR));

try {
  await program.parseAsync();
} catch (error) {
  const { explain } = await import('./cli/output.js');
  process.stderr.write(`decision-ledger: ${explain(error)}\n`);
  process.exitCode = USAGE_ERROR;
}
