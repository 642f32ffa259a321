import { type Static, type TSchema, Type } from 'typebox';
import { WITHHELD_FIGURES } from './accounting.js';
import { BudgetReached } from './budget.js';
import { ReconciliationFinding } from './chain.js';
import { FailedSubject, FOLLOWER_KINDS } from './operations.js';
import { MODES } from './permissions.js';
import { Id, Timestamp } from './shared.js';

const CLOSED = { additionalProperties: false } as const;

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const OldestWaiting = Type.Number({
  minimum: 0,
  description: 'How long the oldest job has waited, in seconds.',
});

const alert = <Kind extends string, Data extends TSchema>(type: Kind, data: Data) =>
  Type.Object(
    {
      type: Type.Literal(type),
      mode: Type.Enum([...MODES]),
      ledger: Id('led'),
      time: Timestamp,
      data,
    },
    CLOSED,
  );

const BacklogData = Type.Object(
  {
    oldest_waiting_seconds: OldestWaiting,
    threshold_seconds: Type.Integer({ description: 'The setting alerts.backlog_seconds.' }),
  },
  CLOSED,
);

const DeadLettersData = Type.Object(
  {
    dead_letters: Count('Dead letters now.'),
    told: Count('Dead letters reported since the last recovery, including these.'),
  },
  CLOSED,
);

const RecoveredData = Type.Object({ oldest_waiting_seconds: OldestWaiting }, CLOSED);

const ReconciliationData = Type.Object(
  {
    findings: Count('Differences between the tables and the activity chain.'),
    activity_seq: Type.Integer({ description: 'The end of the activity chain at that time.' }),
    first: Type.Object(
      {
        kind: ReconciliationFinding.properties.kind,
        table: Type.String(),
        key: Type.String(),
        column: ReconciliationFinding.properties.column,
      },
      CLOSED,
    ),
  },
  CLOSED,
);

const OF_FOLLOWER = { follower: Type.String(), kind: Type.Enum([...FOLLOWER_KINDS]) } as const;

const FollowerFailedData = Type.Object(
  {
    ...OF_FOLLOWER,
    failures: Count('Records or subjects that could not be taken since the last alert.'),
    last: Type.Object(
      {
        log: Type.Union([Type.Enum(['decisions', 'activity']), Type.Null()]),
        seq: Type.Union([Type.Integer(), Type.Null()]),
        subject: FailedSubject,
        failed_at: Timestamp,
        stopped: Type.Boolean({
          description: 'Whether the follower has stopped before the record; otherwise, it goes on.',
        }),
      },
      CLOSED,
    ),
  },
  CLOSED,
);

const FollowerLaggingData = Type.Object(
  {
    ...OF_FOLLOWER,
    lag_records: Count('Records that were not taken.'),
    lag_seconds: Type.Number({ minimum: 0, description: 'Age of the oldest of them.' }),
    threshold_seconds: Type.Integer({ description: 'The setting alerts.backlog_seconds.' }),
  },
  CLOSED,
);

const FollowerRecoveredData = Type.Object(OF_FOLLOWER, CLOSED);

const WithheldData = Type.Object(
  { connection: Type.String({ description: 'Its id in the settings.' }), ...WITHHELD_FIGURES },
  CLOSED,
);

/** What moved: outcomes of a version of an agent since its loss rate began to differ. */
export const LiabilityDrift = Type.Object(
  {
    subject: Type.Literal('liability'),
    metric: Type.Literal('loss_rate'),
    agent_id: Type.String(),
    version: Type.Union([Type.String(), Type.Null()], {
      description: 'As the metadata name it; null if they name none or were erased.',
    }),
    direction: Type.Enum(['up', 'down']),
    decisions: Count('Decisions whose outcome became known since the rate began to differ.'),
    losses: Count('Losses among them.'),
    expected_losses: Type.Number({ description: 'Losses that the model expected of them.' }),
  },
  CLOSED,
);
export type LiabilityDrift = Static<typeof LiabilityDrift>;

/** What moved: a month of events, against the three months before. */
export const AttributionDrift = Type.Object(
  {
    subject: Type.Literal('attribution'),
    metric: Type.Enum(['identifier_coverage', 'lag', 'share']),
    month: Type.String({
      description: 'Month in which the events were recorded, UTC, as YYYY-MM.',
    }),
    reference_start: Type.String({ description: 'First of the three months before.' }),
    index: Type.Number({ description: 'Population stability index, above 0.25.' }),
    events: Count('Scored events of the month.'),
    reference_events: Count('Scored events of the three months before.'),
  },
  CLOSED,
);
export type AttributionDrift = Static<typeof AttributionDrift>;

/** More may still be lost than the threshold of the settings. */
export const ExposureExceeded = Type.Object(
  {
    currency: Type.String({ description: 'The base currency.' }),
    open: Type.String({ description: 'What may still be lost in total, a decimal.' }),
    threshold: Type.String({ description: 'The setting liability.exposure_alert_threshold.' }),
  },
  CLOSED,
);
export type ExposureExceeded = Static<typeof ExposureExceeded>;

const DriftData = Type.Union([LiabilityDrift, AttributionDrift]);

/** A drift of any subject, as the stream sends it. */
export const DriftDetected = Type.Object({
  subject: Type.Enum(['liability', 'attribution']),
  metric: Type.Enum(['loss_rate', 'identifier_coverage', 'lag', 'share']),
  ...Type.Partial(Type.Omit(LiabilityDrift, ['subject', 'metric'])).properties,
  ...Type.Partial(Type.Omit(AttributionDrift, ['subject', 'metric'])).properties,
});

/** The body of an alert, which is signed as a whole (Standard Webhooks). */
export const Alert = Type.Union([
  alert('jobs.backlog', BacklogData),
  alert('jobs.dead_letters', DeadLettersData),
  alert('jobs.recovered', RecoveredData),
  alert('drift.detected', DriftData),
  alert('exposure.exceeded', ExposureExceeded),
  alert('budget.reached', BudgetReached),
  alert('reconciliation.failed', ReconciliationData),
  alert('follower.failed', FollowerFailedData),
  alert('follower.lagging', FollowerLaggingData),
  alert('follower.recovered', FollowerRecoveredData),
  alert('accounting.withheld', WithheldData),
]);
export type Alert = Static<typeof Alert>;

/** The type and data of an alert, without its ledger. */
export const AlertNotice = Type.Union([
  Type.Object({ type: Type.Literal('jobs.backlog'), data: BacklogData }, CLOSED),
  Type.Object({ type: Type.Literal('jobs.dead_letters'), data: DeadLettersData }, CLOSED),
  Type.Object({ type: Type.Literal('jobs.recovered'), data: RecoveredData }, CLOSED),
  Type.Object({ type: Type.Literal('drift.detected'), data: DriftData }, CLOSED),
  Type.Object({ type: Type.Literal('exposure.exceeded'), data: ExposureExceeded }, CLOSED),
  Type.Object({ type: Type.Literal('budget.reached'), data: BudgetReached }, CLOSED),
  Type.Object({ type: Type.Literal('reconciliation.failed'), data: ReconciliationData }, CLOSED),
  Type.Object({ type: Type.Literal('follower.failed'), data: FollowerFailedData }, CLOSED),
  Type.Object({ type: Type.Literal('follower.lagging'), data: FollowerLaggingData }, CLOSED),
  Type.Object({ type: Type.Literal('follower.recovered'), data: FollowerRecoveredData }, CLOSED),
  Type.Object({ type: Type.Literal('accounting.withheld'), data: WithheldData }, CLOSED),
]);
export type AlertNotice = Static<typeof AlertNotice>;
