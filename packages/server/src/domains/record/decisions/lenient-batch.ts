import { type BatchDecision, DecisionBatchBody } from '@decision-ledger/contract/decision';
import { invalidFields, LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Refusal } from './refusals.js';

/** The decisions of a lenient batch. */
export interface LenientBatch {
  readonly bodies: readonly BatchDecision[];
  /** The place of each body in the request. */
  readonly places: readonly number[];
  readonly refused: readonly Refusal[];
}

/** The body apart from its decisions. */
const checkBody = checker(
  Type.Object(
    {
      decisions: Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: LIMITS.batchDecisions,
      }),
    },
    { additionalProperties: false },
  ),
  'body',
);
const checkBatch = checker(DecisionBatchBody, 'body');

/**
 * Checks the decisions of a batch one by one.
 * @param unread decisions whose JSON was refused, by place
 * @throws LedgerError `validation_error` for what is wrong with the batch itself
 */
export function readLeniently(
  body: unknown,
  unread: ReadonlyMap<number, LedgerError> | null,
): LenientBatch {
  const bodies: BatchDecision[] = [];
  const places: number[] = [];
  const refused: Refusal[] = [];
  for (const [index, decision] of checkBody(body).decisions.entries()) {
    const read = unread?.get(index) ?? readDecision(decision, index);
    if (read instanceof LedgerError) refused.push({ index, error: read });
    else {
      bodies.push(read);
      places.push(index);
    }
  }
  return { bodies, places, refused };
}

/** The decision, or the error that a batch of which only it is wrong is refused with. */
function readDecision(value: unknown, index: number): BatchDecision | LedgerError {
  try {
    const [decision] = checkBatch({ decisions: [value] }).decisions;
    if (decision === undefined) throw new Error('a batch of one decision has none');
    return decision;
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    const fields = Object.entries(error.details?.fields ?? {});
    return invalidFields(
      Object.fromEntries(
        fields.map(([path, problems]) => [
          path.replace(/^decisions\[0\]/, `decisions[${index}]`),
          problems,
        ]),
      ),
    );
  }
}
