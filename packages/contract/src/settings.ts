import { type Static, Type } from 'typebox';
import { JsonObject } from './shared.js';

/** What holds until an organisation says otherwise. */
export const DEFAULT_SETTINGS = {
  rate_limits: {
    ingest_per_second: 100,
    batch_per_second: 10,
    read_per_second: 1000,
    handshakes_per_minute: 30,
    exports_per_hour: 1,
  },
};

const figure = (name: keyof typeof DEFAULT_SETTINGS.rate_limits, description: string) =>
  Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: DEFAULT_SETTINGS.rate_limits[name],
    description,
  });

/** Rate limits of an organisation, both modes together. */
const RateLimits = Type.Object(
  {
    ingest_per_second: figure('ingest_per_second', 'Single writes.'),
    batch_per_second: figure('batch_per_second', 'POST /decisions/batch.'),
    read_per_second: figure('read_per_second', 'Reads.'),
    handshakes_per_minute: figure('handshakes_per_minute', 'Stream handshakes, per IP.'),
    exports_per_hour: figure('exports_per_hour', 'POST /exports.'),
  },
  { additionalProperties: false },
);

/** The settings document, whole. */
export const Settings = Type.Object({ rate_limits: RateLimits }, { additionalProperties: false });
export type Settings = Static<typeof Settings>;

/** The body of PATCH /settings, an RFC 7396 merge patch: null puts a setting back to its default. */
export const SettingsPatch = JsonObject;
export type SettingsPatch = Static<typeof SettingsPatch>;
