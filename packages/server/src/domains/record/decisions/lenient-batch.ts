import { type BatchDecision, DecisionBatchBody } from '@decision-ledger/contract/decision';
import { invalidFields, LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type ResolvedBody, resolveUploads, type UploadClaim } from '../uploads/index.js';
import { markOrigin, type Recorder, requireAgents } from './recorder.js';
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
 * @param recorder null without limits and marks
 * @throws LedgerError `validation_error` for what is wrong with the batch itself
 */
export function readLeniently(
  body: unknown,
  unread: ReadonlyMap<number, LedgerError> | null,
  recorder: Recorder | null,
): LenientBatch {
  const bodies: BatchDecision[] = [];
  const places: number[] = [];
  const refused: Refusal[] = [];
  for (const [index, decision] of checkBody(body).decisions.entries()) {
    const read = unread?.get(index) ?? readDecision(decision, index, recorder);
    if (read instanceof LedgerError) refused.push({ index, error: read });
    else {
      bodies.push(read);
      places.push(index);
    }
  }
  return { bodies, places, refused };
}

/** A lenient batch whose fields hold what was uploaded. */
interface ResolvedBatch extends LenientBatch {
  /** The uploads that each body takes. */
  readonly claims: readonly (readonly UploadClaim[])[];
}

/** Puts uploads in the place of the fields that name them. What names none that is there is refused alone. */
export async function resolveLeniently(
  ledger: LedgerReader,
  { bodies, places, refused }: LenientBatch,
  path: (index: number) => string,
): Promise<ResolvedBatch> {
  const at = (index: number) => places[index] ?? index;
  const resolved = await resolveUploads(ledger, bodies, (index) => path(at(index)));
  const kept: ResolvedBody<BatchDecision>[] = [];
  const keptPlaces: number[] = [];
  const all = [...refused];
  for (const [index, one] of resolved.entries()) {
    if (one instanceof LedgerError) all.push({ index: at(index), error: one });
    else {
      kept.push(one);
      keptPlaces.push(at(index));
    }
  }
  return {
    bodies: kept.map(({ body }) => body),
    claims: kept.map(({ claims }) => claims),
    places: keptPlaces,
    refused: all,
  };
}

/** The decision, or the error that a batch of which only it is wrong is refused with. */
function readDecision(
  value: unknown,
  index: number,
  recorder: Recorder | null,
): BatchDecision | LedgerError {
  try {
    const [decision] = checkBatch({ decisions: [value] }).decisions;
    if (decision === undefined) throw new Error('a batch of one decision has none');
    if (recorder === null) return decision;
    requireAgents(recorder, [decision], () => 'decisions[0].');
    return markOrigin(recorder, decision);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return atPlace(error, index);
  }
}

/** The error of the only decision of a batch, as it is at another place. */
function atPlace({ code, message, details }: LedgerError, index: number): LedgerError {
  const move = (path: string) => path.replace(/^decisions\[0\]/, `decisions[${index}]`);
  const fields = Object.fromEntries(
    Object.entries(details?.fields ?? {}).map(([path, problems]) => [move(path), problems]),
  );
  if (code === 'validation_error') return invalidFields(fields);
  return new LedgerError(code, move(message), { details: { fields } });
}
