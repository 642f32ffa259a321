import { subjectOf } from './activity-types.js';
import { quote, refuseSurrogates } from './json.js';
import { EntryError, Members } from './members.js';
import { isCommitment, isHash, isTimestamp } from './shapes.js';

export { EntryError };

export const DECISION_TYPE = 'decision-ledger/decision/v1';
export const ACTIVITY_TYPE = 'decision-ledger/activity/v1';
export const GENESIS_TYPE = 'decision-ledger/genesis/v1';

/**
 * The hashed members of a decision. Hashes are 64 lower-case hexadecimal characters, commitments 43
 * base64url characters, times `YYYY-MM-DDTHH:mm:ss.sssZ`. Only fields that the decision has get a
 * commitment.
 */
export interface DecisionEntry {
  ledger: string;
  epoch: number;
  /** Position in the chain: 1 for the first decision. */
  seq: number;
  prev_hash: string;
  decision_id: string;
  agent_id: string;
  action_type: string;
  confidence: number;
  human_in_loop: boolean;
  timestamp: string;
  created_at: string;
  commitments: { inputs?: string; outputs?: string; alternatives?: string; metadata?: string };
}

/**
 * The hashed members of an activity record. Forms as in DecisionEntry. Activity of an event or a link also commits
 * to `when`, the times that it is about. That of anything else does not.
 */
export interface ActivityEntry {
  ledger: string;
  epoch: number;
  seq: number;
  prev_hash: string;
  activity_id: string;
  type: string;
  actor: string;
  subject: string;
  created_at: string;
  commitments: { data?: string; when?: string };
}

/** The start of a chain. Its hash is the `prev_hash` of the first record. */
export interface GenesisEntry {
  ledger: string;
  organisation: string;
  mode: 'live' | 'test';
  chain: 'decisions' | 'activity';
  epoch: number;
  created_at: string;
}

const TYPES = [DECISION_TYPE, ACTIVITY_TYPE, GENESIS_TYPE] as const;

/** A parsed entry, distinguished by `_type`. */
export type Entry =
  | ({ _type: typeof DECISION_TYPE } & DecisionEntry)
  | ({ _type: typeof ACTIVITY_TYPE } & ActivityEntry)
  | ({ _type: typeof GENESIS_TYPE } & GenesisEntry);

/**
 * The canonical JSON text of a decision's entry.
 *
 * @throws TypeError if a member is malformed
 * @example
 * ```ts
 * import { decisionEntry } from '@decision-ledger/proof/entry';
 *
 * const text = decisionEntry({
 *   ledger: 'org_1/live', epoch: 1, seq: 1, prev_hash: '0'.repeat(64),
 *   decision_id: 'dec_1', agent_id: 'pricing', action_type: 'refund', confidence: 0.9,
 *   human_in_loop: false, timestamp: '2026-04-16T09:30:00.000Z',
 *   created_at: '2026-04-16T09:30:00.120Z', commitments: {},
 * });
 * text.startsWith('{"_type":"decision-ledger/decision/v1"'); // => true
 * ```
 */
export function decisionEntry(e: DecisionEntry): string {
  checkDigests(e.prev_hash, e.commitments);
  return decisionText(e);
}

/**
 * Like `decisionEntry`, without checking the digests, which the caller has just computed. The text is
 * built directly in the order of RFC 8785, because this runs for every verified record.
 */
export function decisionText(e: DecisionEntry): string {
  const { alternatives, inputs, metadata, outputs } = e.commitments;
  const commitments =
    commitmentMember('alternatives', alternatives) +
    commitmentMember('inputs', inputs) +
    commitmentMember('metadata', metadata) +
    commitmentMember('outputs', outputs);
  if (!Number.isFinite(e.confidence)) {
    refuse('confidence');
  }
  return refuseSurrogates(
    `{"_type":"${DECISION_TYPE}","action_type":${quote(e.action_type)}` +
      `,"agent_id":${quote(e.agent_id)},"commitments":{${commitments.slice(1)}}` +
      `,"confidence":${e.confidence},"created_at":${time('created_at', e.created_at)}` +
      `,"decision_id":${quote(e.decision_id)},"epoch":${count('epoch', e.epoch)}` +
      `,"human_in_loop":${e.human_in_loop},"ledger":${quote(e.ledger)}` +
      `,"prev_hash":"${e.prev_hash}","seq":${count('seq', e.seq)}` +
      `,"timestamp":${time('timestamp', e.timestamp)}}`,
  );
}

/**
 * The canonical JSON text of an activity's entry.
 *
 * @throws TypeError if a member is malformed
 * @example
 * ```ts
 * import { activityEntry } from '@decision-ledger/proof/entry';
 *
 * const text = activityEntry({
 *   ledger: 'org_1/live', epoch: 1, seq: 1, prev_hash: '0'.repeat(64),
 *   activity_id: 'act_1', type: 'key.created', actor: 'key_1', subject: 'key_2',
 *   created_at: '2026-04-16T09:30:00.120Z', commitments: {},
 * });
 * text.startsWith('{"_type":"decision-ledger/activity/v1"'); // => true
 * ```
 */
export function activityEntry(e: ActivityEntry): string {
  checkDigests(e.prev_hash, e.commitments);
  return activityText(e);
}

/** Like `activityEntry`, without checking the digests, which the caller has just computed. */
export function activityText(e: ActivityEntry): string {
  if (!hasDueTimes(e)) {
    refuse('commitments.when');
  }
  const { data, when } = e.commitments;
  const commitments = commitmentMember('data', data) + commitmentMember('when', when);
  return refuseSurrogates(
    `{"_type":"${ACTIVITY_TYPE}","activity_id":${quote(e.activity_id)}` +
      `,"actor":${quote(e.actor)},"commitments":{${commitments.slice(1)}}` +
      `,"created_at":${time('created_at', e.created_at)},"epoch":${count('epoch', e.epoch)}` +
      `,"ledger":${quote(e.ledger)},"prev_hash":"${e.prev_hash}"` +
      `,"seq":${count('seq', e.seq)},"subject":${quote(e.subject)},"type":${quote(e.type)}}`,
  );
}

/**
 * The canonical JSON text of a genesis entry.
 *
 * @throws TypeError if a member is malformed
 * @example
 * ```ts
 * import { genesisEntry } from '@decision-ledger/proof/entry';
 * import { leafHash } from '@decision-ledger/proof/hash';
 *
 * const place = { ledger: 'org_1/live', organisation: 'org_1', mode: 'live', epoch: 1 } as const;
 * const created_at = '2026-04-16T09:30:00.120Z';
 * leafHash(genesisEntry({ ...place, chain: 'decisions', created_at }));
 * // => 'cea153e8505e3820322ad651aeee5dc4084dc65b34c32c7e77d1b065f3a287db'
 * ```
 */
export function genesisEntry(e: GenesisEntry): string {
  return refuseSurrogates(
    `{"_type":"${GENESIS_TYPE}","chain":${quote(e.chain)}` +
      `,"created_at":${time('created_at', e.created_at)},"epoch":${count('epoch', e.epoch)}` +
      `,"ledger":${quote(e.ledger)},"mode":${quote(e.mode)}` +
      `,"organisation":${quote(e.organisation)}}`,
  );
}

/**
 * Parses the text of an entry.
 *
 * @returns the entry, distinguished by `_type`
 * @throws EntryError if the text is not canonical JSON, its `_type` is unknown, or a member is missing,
 *   unknown or malformed
 * @example
 * ```ts
 * import { genesisEntry, readEntry } from '@decision-ledger/proof/entry';
 *
 * const place = { ledger: 'org_1/live', organisation: 'org_1', mode: 'live', epoch: 1 } as const;
 * const created_at = '2026-04-16T09:30:00.120Z';
 * readEntry(genesisEntry({ ...place, chain: 'activity', created_at }))._type;
 * // => 'decision-ledger/genesis/v1'
 * ```
 */
export function readEntry(text: string): Entry {
  const members = Members.of(text);
  const type = members.oneOf('_type', TYPES);
  switch (type) {
    case DECISION_TYPE:
      return members.complete({ _type: type, ...readDecision(members) });
    case ACTIVITY_TYPE:
      return members.complete({ _type: type, ...readActivity(members) });
    case GENESIS_TYPE:
      return members.complete({ _type: type, ...readGenesis(members) });
  }
}

function readDecision(m: Members): DecisionEntry {
  return {
    ...readPosition(m),
    decision_id: m.text('decision_id'),
    agent_id: m.text('agent_id'),
    action_type: m.text('action_type'),
    confidence: m.number('confidence'),
    human_in_loop: m.flag('human_in_loop'),
    timestamp: m.time('timestamp'),
    created_at: m.time('created_at'),
    commitments: m.commitments(['inputs', 'outputs', 'alternatives', 'metadata']),
  };
}

function readActivity(m: Members): ActivityEntry {
  const entry: ActivityEntry = {
    ...readPosition(m),
    activity_id: m.text('activity_id'),
    type: m.text('type'),
    actor: m.text('actor'),
    subject: m.text('subject'),
    created_at: m.time('created_at'),
    commitments: m.commitments(['data', 'when']),
  };
  if (!hasDueTimes(entry)) {
    const found = entry.commitments.when === undefined ? 'no' : 'a';
    throw new EntryError(`An activity of the type ${entry.type} has ${found} commitment "when".`);
  }
  return entry;
}

/** Whether an activity states times exactly if its type demands it. One of an unknown type may do either. */
function hasDueTimes({ type, commitments }: ActivityEntry): boolean {
  const about = subjectOf(type);
  const isDated = commitments.when !== undefined;
  return about === null || isDated === (about === 'event' || about === 'link');
}

function readGenesis(m: Members): GenesisEntry {
  return {
    ledger: m.text('ledger'),
    organisation: m.text('organisation'),
    mode: m.oneOf('mode', ['live', 'test']),
    chain: m.oneOf('chain', ['decisions', 'activity']),
    epoch: m.count('epoch'),
    created_at: m.time('created_at'),
  };
}

function readPosition(m: Members) {
  return {
    ledger: m.text('ledger'),
    epoch: m.count('epoch'),
    seq: m.count('seq'),
    prev_hash: m.hash('prev_hash'),
  };
}

function checkDigests(prevHash: string, commitments: { [field: string]: string }): void {
  if (!isHash(prevHash)) {
    refuse('prev_hash');
  }
  for (const [field, digest] of Object.entries(commitments)) {
    if (!isCommitment(digest)) {
      refuse(`commitments.${field}`);
    }
  }
}

function commitmentMember(field: string, digest: string | undefined): string {
  return digest === undefined ? '' : `,"${field}":"${digest}"`;
}

function time(name: string, text: string): string {
  return isTimestamp(text) ? `"${text}"` : refuse(name);
}

function count(name: string, value: number): number {
  return Number.isSafeInteger(value) && value > 0 ? value : refuse(name);
}

function refuse(name: string): never {
  throw new TypeError(`The entry's member ${name} is malformed.`);
}
