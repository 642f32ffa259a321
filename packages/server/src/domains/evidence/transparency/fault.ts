import { TlogError } from '@decision-ledger/proof/tlog/error';
import { UnmakeableError } from '../../../platform/projections/projection.js';

/**
 * A log contradicts the records of its chain or its own checkpoints. No further checkpoint of it is signed
 * until a rebuild finds that they agree.
 */
export class LogFault extends Error {
  override readonly name = 'LogFault';
}

/** The fault that an error stands for: stored hashes or notes may have lost their form. Null for others. */
export function faultOf(error: unknown): LogFault | null {
  if (error instanceof LogFault) return error;
  const isOfLog = error instanceof TlogError || error instanceof UnmakeableError;
  return isOfLog ? new LogFault(error.message, { cause: error }) : null;
}

/** What is wrong, with the log that it is wrong with. */
export function ofLog({ origin }: { readonly origin: string }, { message }: LogFault): string {
  return message.startsWith(origin) ? message : `${origin}: ${message}`;
}
