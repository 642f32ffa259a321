// In JavaScript, because the types of these settings come out as `never` with exactOptionalPropertyTypes.
import { humanInTheLoopMiddleware } from 'langchain';

/** Lets a person review every refund. */
export function reviewRefunds() {
  return humanInTheLoopMiddleware({ interruptOn: { refund: true } });
}
