import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { Permission } from '@decision-ledger/contract/permissions';

/** A caller that may record decisions and nothing else that an agent does. */
export interface Recorder {
  /** The agents whose decisions it may record; null: any. */
  readonly agents: ReadonlySet<string> | null;
  /** The header Origin, which browsers send; null without one. */
  readonly origin: string | null;
}

interface Caller {
  readonly permissions: ReadonlySet<Permission>;
  readonly agents?: ReadonlySet<string>;
}

/** @returns null for a caller without limits and marks */
export function recorderOf(
  { permissions, agents = undefined }: Caller,
  origin: string | undefined,
): Recorder | null {
  if (permissions.has('ingest')) return null;
  return { agents: agents ?? null, origin: origin === undefined ? null : readOrigin(origin) };
}

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[!-~]{1,300}$/;

/** What is no origin is recorded as browsers write one that they hide. */
function readOrigin(text: string): string {
  return ORIGIN.test(text) ? text : 'null';
}

/**
 * Refuses decisions of agents that the caller may not record.
 * @param path of each decision in the request
 * @throws LedgerError `forbidden`
 */
export function requireAgents(
  { agents }: Recorder,
  bodies: readonly DecisionBody[],
  path: (index: number) => string,
): void {
  if (agents === null) return;
  const foreign = bodies.flatMap(({ agent_id }, index) =>
    agents.has(agent_id) ? [] : [`${path(index)}agent_id`],
  );
  const [first] = foreign;
  if (first === undefined) return;
  const problem = `must be an agent of this key: ${[...agents].join(', ')}`;
  const shown = foreign.slice(0, LIMITS.errorFields);
  throw new LedgerError('forbidden', `${first} ${problem}`, {
    details: { fields: Object.fromEntries(shown.map((field) => [field, [problem]])) },
  });
}

/** The members of the metadata that mark what a browser sent. */
const SOURCE = 'ledger_source';
const SENT_FROM = 'ledger_origin';

/** The decision with its mark, if a browser sent it. What the caller says in these members does not count. */
export function markOrigin<Body extends DecisionBody>({ origin }: Recorder, body: Body): Body {
  if (origin === null) return body;
  return { ...body, metadata: { ...body.metadata, [SOURCE]: 'browser', [SENT_FROM]: origin } };
}
