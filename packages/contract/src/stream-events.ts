import type { ActivityType } from '@decision-ledger/proof/activity-types';
import { type Static, type TObject, Type } from 'typebox';
import { DriftDetected, ExposureExceeded } from './alert.js';
import { BudgetReached } from './budget.js';
import { FinancialEvent, Movement } from './financial-event.js';
import { LiabilityUpdate } from './liability.js';
import { Link, LinkBody, Reviewer } from './link.js';
import { LinkLabel } from './money-signs.js';
import { Hash, Id, Timestamp } from './shared.js';

/** The logs of a ledger that the stream reads. */
export const STREAM_LOGS = ['decisions', 'activity', 'announcements'] as const;
export type StreamLog = (typeof STREAM_LOGS)[number];

/** A type of event: the log that it is read from, and the schema of its data. */
type StreamEventDescription = { readonly schema: TObject } & (
  | { readonly type: ActivityType; readonly log: 'activity' }
  /** Null for an event that is in no log. */
  | { readonly type: string; readonly log: Exclude<StreamLog, 'activity'> | null }
);

const EstimateInShort = Type.Object({
  expected: Type.String({ description: 'Expected cost, a decimal.' }),
  expected_low: Type.String({ description: '5th percentile.' }),
  expected_high: Type.String({ description: '95th percentile.' }),
  currency: Type.String({ description: 'ISO 4217 code.' }),
});

const DecisionRecorded = Type.Object({
  decision_id: Id('dec'),
  seq: Type.Integer({ minimum: 1 }),
  timestamp: Timestamp,
  created_at: Timestamp,
  hash: Hash,
  prev_hash: Hash,
  agent_id: Type.String(),
  action_type: Type.String(),
  confidence: Type.Number(),
  human_in_loop: Type.Boolean(),
  exposure: Type.Union([EstimateInShort, Type.Null()], {
    description: 'The estimate when the event was sent; null if there is none.',
  }),
});

/** The common members of events about an activity record. */
const RECORD = {
  activity_id: Id('act'),
  subject: Type.String({ description: 'The object that was changed.' }),
  actor: Type.String({ description: 'The key or other actor that made the change.' }),
};

/** A disclosed field is left out if it was never given or cannot be read. */
const EventRecorded = Type.Object({
  ...RECORD,
  ...Type.Partial(
    Type.Pick(FinancialEvent, [
      'source',
      'event_type',
      'amount',
      'currency',
      'external_id',
      'timestamp',
      'supersedes',
    ]),
  ).properties,
});

const EventDeleted = Type.Object({
  ...RECORD,
  superseded_by: FinancialEvent.properties.superseded_by,
});

/** A report has another movement than before, or somebody said something of it. */
const MovementChange = Type.Object({
  ...RECORD,
  ...Type.Partial(Movement).properties,
  by: Type.Optional(Type.String({ description: 'Why: person, rule, deletion or supersession.' })),
  with: Type.Optional(Id('evt', 'The event that it reports the same money as.')),
  from: Type.Optional(Id('evt', 'The event that a person parted it from.')),
  withdrawn: Type.Optional(Id('evt', 'The event about which a person takes back what was said.')),
});

const LinkChange = Type.Object({
  ...RECORD,
  decision_id: Type.Optional(Id('dec')),
  financial_event_id: Type.Optional(Id('evt')),
  correlation_strength: Type.Optional(LinkBody.properties.correlation_strength),
  previous_strength: Type.Optional(
    Type.Number({ description: 'The strength before a confirmation.' }),
  ),
  link_type: Type.Optional(LinkBody.properties.link_type),
  reversal: LinkBody.properties.reversal,
  label: Type.Optional(LinkLabel),
  attribution_method: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  supersedes: Type.Optional(Id('lnk')),
  inherited_from: Link.properties.inherited_from,
});

/** A change of a link that a person may have reviewed. */
const LinkReviewed = Type.Object({
  ...LinkChange.properties,
  reviewer: Type.Optional(Reviewer),
});

const ChainVerified = Type.Object({
  chain: Type.Enum(['decisions', 'activity']),
  is_valid: Type.Boolean(),
  records_checked: Type.Integer(),
  erased_fields: Type.Integer(),
  head: Type.Object({ seq: Type.Integer(), hash: Type.String() }),
});

const ExportUpdated = Type.Object({
  export_id: Id('exp'),
  status: Type.Enum(['pending', 'running', 'complete', 'failed', 'expired']),
});

const Heartbeat = Type.Object({
  announcements_missed: Type.Boolean({
    description:
      'True if the position is older than the retained liability_estimate.updated, ' +
      'drift.detected, exposure.exceeded, budget.reached, chain.verified and export.updated events: some of them were not sent.',
  }),
});

/** Every type of event, in the order in which they are documented. */
export const STREAM_EVENTS = [
  { type: 'decision.recorded', log: 'decisions', schema: DecisionRecorded },
  { type: 'financial_event.recorded', log: 'activity', schema: EventRecorded },
  { type: 'financial_event.deleted', log: 'activity', schema: EventDeleted },
  { type: 'movement.paired', log: 'activity', schema: MovementChange },
  { type: 'movement.parted', log: 'activity', schema: MovementChange },
  { type: 'link.created', log: 'activity', schema: LinkReviewed },
  { type: 'link.suggested', log: 'activity', schema: LinkChange },
  { type: 'link.inherited', log: 'activity', schema: LinkChange },
  { type: 'link.confirmed', log: 'activity', schema: LinkReviewed },
  { type: 'link.rejected', log: 'activity', schema: LinkReviewed },
  { type: 'link.deleted', log: 'activity', schema: LinkChange },
  { type: 'liability_estimate.updated', log: 'announcements', schema: LiabilityUpdate },
  { type: 'drift.detected', log: 'announcements', schema: DriftDetected },
  { type: 'exposure.exceeded', log: 'announcements', schema: ExposureExceeded },
  { type: 'budget.reached', log: 'announcements', schema: BudgetReached },
  { type: 'chain.verified', log: 'announcements', schema: ChainVerified },
  { type: 'export.updated', log: 'announcements', schema: ExportUpdated },
  { type: 'heartbeat', log: null, schema: Heartbeat },
] as const satisfies readonly StreamEventDescription[];

type Described = (typeof STREAM_EVENTS)[number];

export type StreamType = Described['type'];
/** The types of event that a log holds. */
export type StreamTypeOf<Log extends StreamLog> = Extract<Described, { log: Log }>['type'];
export type StreamData<Name extends StreamType> = Static<
  Extract<Described, { type: Name }>['schema']
>;

const BY_TYPE: ReadonlyMap<string, Described> = new Map(
  STREAM_EVENTS.map((event) => [event.type, event]),
);

/**
 * The description of an event type; undefined if the type is unknown.
 *
 * @example
 * ```ts
 * import { streamEventOf } from '@decision-ledger/contract/stream-events';
 *
 * streamEventOf('unknown'); // => undefined
 * streamEventOf('heartbeat')?.type; // => 'heartbeat'
 * ```
 */
export function streamEventOf(type: string): Described | undefined {
  return BY_TYPE.get(type);
}

/** Every type, in the order in which they are documented. */
export const STREAM_TYPES: readonly StreamType[] = STREAM_EVENTS.map(({ type }) => type);

/** The types that a connection can filter by; heartbeats are always sent. */
export const SELECTABLE_TYPES: readonly StreamType[] = STREAM_EVENTS.flatMap(({ type, log }) =>
  log === null ? [] : [type],
);
