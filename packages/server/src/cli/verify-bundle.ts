import { main } from '@decision-ledger/verifier/cli/main';

/** Node.js, the program and the name of the command. */
const BEFORE_ARGUMENTS = 3;

/** The verifier reads the arguments itself, and decides the exit code. */
export async function verifyBundle(): Promise<void> {
  process.exitCode = await main(process.argv.slice(BEFORE_ARGUMENTS));
}
