import type { DecisionBody } from '@decision-ledger/contract/decision';
import { invalidField } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { parseTimestamp } from '@decision-ledger/contract/time';
import { UPLOADABLE_FIELDS, type UploadableField } from '@decision-ledger/contract/upload';
import { canonicalJson } from '@decision-ledger/proof/canonical';
import { commitmentOf, disclosureText, parseDisclosure } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { UPLOAD_MEMBER } from '@decision-ledger/proof/upload';
import { type Assignment, readAssignment, termsText } from './metadata.js';
import { type RunningCost, readRunningCost } from './running-cost.js';

/** A field that takes an upload (UUID). */
interface UploadClaim {
  readonly uploadId: string;
  readonly field: UploadableField;
}

/** A decision with everything that does not depend on its place in the chain. */
export interface PreparedDecision {
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  readonly humanInLoop: boolean;
  /** ms; null takes created_at. */
  readonly timestamp: number | null;
  readonly inputs: string;
  readonly outputs: string;
  readonly alternatives: string | null;
  readonly metadata: string | null;
  readonly commitments: {
    readonly inputs: string;
    readonly outputs: string;
    readonly alternatives?: string;
    readonly metadata?: string;
  };
  readonly terms: string;
  /** Its arm of an experiment; null without one. */
  readonly assignment: Assignment | null;
  /** What it cost to make; null if it says nothing of it. */
  readonly runningCost: RunningCost | null;
  /** The uploads that its fields stand for. */
  readonly claims: readonly UploadClaim[];
  /** Approximate size in memory and in the insert statement. */
  readonly bytes: number;
}

export interface PrepareContext {
  readonly ledgerId: string;
  readonly decisionId: string;
  /** ms, the service's clock. */
  readonly now: number;
  /** A fresh 128-bit salt in base64url at every call. */
  readonly salt: () => string;
  /** Path of the body in the request, for error messages: '' or `decisions[3].`. */
  readonly path: string;
  readonly claims: readonly UploadClaim[];
}

/** Other requests are served after a field of so many characters. */
const LARGE = 32 * 1024;

/**
 * Prepares a decision, and yields after each large field. Each member of the objects is named: on this path,
 * spreading costs more than hashing.
 * @throws LedgerError `validation_error` naming the field
 */
export function* prepareSteps(
  body: DecisionBody,
  context: PrepareContext,
): Generator<undefined, PreparedDecision> {
  const disclose = (name: keyof DecisionBody, value: JsonValue): string => {
    const text = canonicalJson(value);
    if (exceedsBytes(text, LIMITS.payloadFieldBytes)) {
      const problem = `must be at most ${LIMITS.payloadFieldBytes} bytes as canonical JSON`;
      throw invalidField(context.path + name, problem);
    }
    return disclosureText(context.salt(), name, text);
  };
  refuseUnclaimed(body, context);
  const inputs = disclose('inputs', body.inputs);
  if (inputs.length > LARGE) yield;
  const outputs = disclose('outputs', body.outputs);
  if (outputs.length > LARGE) yield;
  const alternatives =
    body.alternatives === undefined ? null : disclose('alternatives', body.alternatives);
  if (alternatives !== null && alternatives.length > LARGE) yield;
  const metadata = body.metadata === undefined ? null : disclose('metadata', body.metadata);
  if (metadata !== null && metadata.length > LARGE) yield;
  return {
    decisionId: context.decisionId,
    agentId: body.agent_id,
    actionType: body.action_type,
    confidence: body.confidence,
    humanInLoop: body.human_in_loop ?? false,
    timestamp: readTimestamp(body.timestamp, context),
    inputs,
    outputs,
    alternatives,
    metadata,
    commitments: commit(inputs, outputs, alternatives, metadata),
    terms: termsText(context.ledgerId, body.agent_id, body.action_type, body.metadata),
    assignment: readAssignment(body.metadata),
    runningCost: readRunningCost(body.metadata),
    claims: context.claims,
    bytes:
      1200 + inputs.length + outputs.length + (alternatives ?? '').length + (metadata ?? '').length,
  };
}

/** Like `prepareSteps`, in one piece. */
export function prepareDecision(body: DecisionBody, context: PrepareContext): PreparedDecision {
  const steps = prepareSteps(body, context);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What a field says of an upload is only recorded with that upload. */
function refuseUnclaimed(body: DecisionBody, { claims, path }: PrepareContext): void {
  for (const field of UPLOADABLE_FIELDS) {
    if (body[field][UPLOAD_MEMBER] === undefined) continue;
    if (claims.some((claim) => claim.field === field)) continue;
    throw invalidField(path + field, `names no upload of this ledger in ${UPLOAD_MEMBER}`);
  }
}

/** A field that was not given has no commitment. */
function commit(
  inputs: string,
  outputs: string,
  alternatives: string | null,
  metadata: string | null,
): PreparedDecision['commitments'] {
  const commitments: { -readonly [Name in keyof PreparedDecision['commitments']]: string } = {
    inputs: commitmentOf(inputs),
    outputs: commitmentOf(outputs),
  };
  if (alternatives !== null) commitments.alternatives = commitmentOf(alternatives);
  if (metadata !== null) commitments.metadata = commitmentOf(metadata);
  return commitments;
}

function exceedsBytes(text: string, max: number): boolean {
  return text.length * 3 > max && Buffer.byteLength(text) > max;
}

function readTimestamp(
  text: string | undefined,
  { now, path }: { readonly now: number; readonly path: string },
): number | null {
  if (text === undefined) return null;
  const timestamp = parseTimestamp(text);
  if (timestamp === null) {
    throw invalidField(
      `${path}timestamp`,
      'must be an RFC 3339 date-time such as 2026-04-16T09:30:00.000Z',
    );
  }
  if (timestamp > now + LIMITS.futureMs) {
    throw invalidField(`${path}timestamp`, 'must not be more than 5 minutes in the future');
  }
  return timestamp;
}

type Payload = 'inputs' | 'outputs' | 'alternatives' | 'metadata';
type Disclosed = Pick<PreparedDecision, Payload>;

/** Writes a member of the body; null if it is absent. A member that is missing here does not compile. */
const MEMBERS: Readonly<
  Record<keyof DecisionBody, (body: DecisionBody, texts: Disclosed) => string | null>
> = {
  agent_id: ({ agent_id: value }) => canonicalJson(value),
  action_type: ({ action_type: value }) => canonicalJson(value),
  inputs: (_, { inputs }) => disclosed('inputs', inputs),
  outputs: (_, { outputs }) => disclosed('outputs', outputs),
  confidence: ({ confidence: value }) => canonicalJson(value),
  alternatives: (_, { alternatives }) => disclosed('alternatives', alternatives),
  human_in_loop: ({ human_in_loop: value }) => (value === undefined ? null : canonicalJson(value)),
  metadata: (_, { metadata }) => disclosed('metadata', metadata),
  timestamp: ({ timestamp: value }) => (value === undefined ? null : canonicalJson(value)),
};

function disclosed(name: Payload, disclosure: string | null): string | null {
  return disclosure === null ? null : parseDisclosure(disclosure, name).value;
}

/** In the order of canonical JSON: by UTF-16 code units. */
const IN_ORDER = Object.entries(MEMBERS)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, write]) => ({ opening: `"${name}":`, write }));

/**
 * The canonical JSON of the body of a decision. Its payload, which is most of it, was written for the
 * commitments already: to write it again would take half as long as the whole preparation.
 */
export function canonicalBody(body: DecisionBody, texts: Disclosed): string {
  let text = '{';
  for (const { opening, write } of IN_ORDER) {
    const value = write(body, texts);
    if (value === null) continue;
    text += text === '{' ? opening + value : `,${opening}${value}`;
  }
  return `${text}}`;
}
