import { openFilesLimit } from '@decision-ledger/embedded/open-files';
import { createProgram } from './cli/program.js';

/** Exit code 1 is reserved for broken chains. */
const USAGE_ERROR = 2;

const program = createProgram((code) => process.exit(code === 0 ? 0 : USAGE_ERROR));

/** Without arguments, the program is the service. */
const args = process.argv.length > 2 ? process.argv : [...process.argv, 'serve'];

/** The engine, its threads and each connection need files: below this, one after the other would fail. */
const FEWEST_FILES = 256;

const files = openFilesLimit();
if (files < FEWEST_FILES) {
  process.stderr.write(
    `decision-ledger: this process may open ${files} files and needs ${FEWEST_FILES}, or more for many callers: ` +
      'raise the limit to 1024 or more (ulimit -n 1024, or LimitNOFILE= in a unit of systemd)\n',
  );
  process.exit(USAGE_ERROR);
}

try {
  await program.parseAsync(args);
} catch (error) {
  const { exitCodeOf, explain } = await import('./cli/output.js');
  process.stderr.write(`decision-ledger: ${explain(error)}\n`);
  process.exitCode = exitCodeOf(error);
}
