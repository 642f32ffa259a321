import { type AgentCall, type Confidence, isConfidence } from './agents/call.js';
import { follow } from './agents/members.js';

export type { AgentCall, Confidence } from './agents/call.js';

/**
 * The same confidence for every decision. It says nothing about a single one, so the ledger estimates the
 * exposure as if it were neutral, whatever the number.
 *
 * @throws RangeError if the number is not from 0 to 1
 * @example
 * ```ts
 * import { fixed } from '@decision-ledger/client/confidence';
 *
 * fixed(0.8).source; // => 'fixed'
 * ```
 */
export function fixed(value: number): Confidence {
  if (!isConfidence(value)) {
    throw new RangeError(`a fixed confidence is a number from 0 to 1, not ${value}`);
  }
  return { source: 'fixed', of: () => value };
}

/**
 * A number from 0 to 1 that stands in the call, such as an argument in which the model states how sure it is.
 *
 * @param path begins with `inputs` or `outputs`; its names are separated by points
 * @throws RangeError if the path begins with something else
 * @example
 * ```ts
 * import { stated } from '@decision-ledger/client/confidence';
 *
 * stated('inputs.confidence').source; // => 'rule'
 * ```
 */
export function stated(path: string): Confidence {
  const names = path.split('.');
  if (names.length < 2 || !['inputs', 'outputs'].includes(names[0] ?? '')) {
    throw new RangeError(`a path of a confidence begins with inputs. or outputs., not ${path}`);
  }
  return { source: 'rule', of: ({ inputs, outputs }) => follow({ inputs, outputs }, names) };
}

/**
 * A confidence that the application knows, for example from a model of its own.
 *
 * @param compute returns undefined if it does not know this one; it must not wait
 * @example
 * ```ts
 * import { computed } from '@decision-ledger/client/confidence';
 *
 * computed(({ action }) => (action === 'refund' ? 0.9 : undefined)).source; // => 'callback'
 * ```
 */
export function computed(compute: (call: AgentCall) => number | undefined): Confidence {
  return { source: 'callback', of: compute };
}
