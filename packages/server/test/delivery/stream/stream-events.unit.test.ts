import {
  SELECTABLE_TYPES,
  STREAM_EVENTS,
  STREAM_LOGS,
  type StreamLog,
} from '@decision-ledger/contract/stream-events';
import { expect, it } from 'vitest';
import {
  describeActivity,
  describeAnnouncement,
  describeDecision,
  type LogItem,
} from '#server/domains/delivery/stream/read-logs';
import type { ActivityChange } from '#server/domains/log/activity/index';
import type { Announcement } from '#server/domains/log/announcements/index';

const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';
const subject = 'exp_01kpat0fe0ec88qqtsarzj0nhh';

const DESCRIBE: { readonly [Log in StreamLog]: (type: string) => LogItem } = {
  decisions: () =>
    describeDecision({
      ...{ seq: 1, decision_id: UUID, agent_id: 'a', action_type: 'b', confidence: 1 },
      ...{ human_in_loop: false, timestamp: 0, created_at: 0, hash: '', prev_hash: '' },
      ...{ exposure: null, low: null, high: null, currency: null },
    }),
  activity: (type) =>
    describeActivity({
      ...{ seq: 1, activity_id: UUID, type, actor: 'operator', subject, created_at: 0, data: null },
    }),
  announcements: (type) =>
    describeAnnouncement({ seq: 1, type, subject, data: '{}', created_at: 0 }),
};

it.for(STREAM_LOGS)(
  'Every type of event of the log %s is sent, and no type of another log',
  (log) => {
    const sent = STREAM_EVENTS.filter(({ type }) => DESCRIBE[log](type).event?.type === type);
    expect(sent.map(({ type }) => type)).toEqual(
      STREAM_EVENTS.filter((event) => event.log === log).map(({ type }) => type),
    );
  },
);

it.for(['key.issued', 'settings.changed', 'link.made', 'constructor'])(
  'A record of the type %s, which is no event, is not sent',
  (type) => {
    expect(DESCRIBE.activity(type).event).toBeNull();
    expect(DESCRIBE.announcements(type).event).toBeNull();
  },
);

it('A connection may select every type that is in a log', () => {
  const inLogs = STREAM_EVENTS.filter(({ log }) => log !== null).map(({ type }) => type);
  expect(SELECTABLE_TYPES).toEqual(inLogs);
  expect(new Set(STREAM_EVENTS.map(({ type }) => type)).size).toBe(STREAM_EVENTS.length);
});

it('Only the types of a log, with their data, compile as its records', () => {
  const announcement: Announcement = {
    type: 'export.updated',
    subject,
    data: { export_id: subject, status: 'running' },
  };
  const silent: ActivityChange = { type: 'key.issued', actor: 'operator', subject };
  const refused: unknown[] = [
    // @ts-expect-error This type is recorded as activity and never announced.
    { type: 'key.issued', subject, data: {} } satisfies Announcement,
    // @ts-expect-error This type is an event of another log.
    { type: 'link.created', subject, data: {} } satisfies Announcement,
    // @ts-expect-error The data is that of another type.
    { ...announcement, type: 'chain.verified' } satisfies Announcement,
    // @ts-expect-error There is no such type.
    { ...silent, type: 'link.made' } satisfies ActivityChange,
    // @ts-expect-error This type is an event of another log.
    { ...silent, type: 'chain.verified' } satisfies ActivityChange,
  ];
  expect(refused).toHaveLength(5);
});
