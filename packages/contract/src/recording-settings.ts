import { type Static, Type } from 'typebox';
import { CLOSED } from './setting-fields.js';

export const DEFAULT_RECORDING = { max_lateness_seconds: null };

const DAY = 86_400;

/** What the ledger accepts as a decision. */
export const RecordingSettings = Type.Object(
  {
    max_lateness_seconds: Type.Union(
      [Type.Integer({ minimum: DAY, maximum: 3650 * DAY }), Type.Null()],
      {
        default: DEFAULT_RECORDING.max_lateness_seconds,
        description:
          'How far, in seconds, the `timestamp` of a decision may lie before its recording: from 86400 (24 ' +
          'hours) to 315360000. Null: any distance.',
        'x-problem':
          'must be null, or a whole number of seconds from 86400 (24 hours) to 315360000',
      },
    ),
  },
  CLOSED,
);
export type RecordingSettings = Static<typeof RecordingSettings>;
