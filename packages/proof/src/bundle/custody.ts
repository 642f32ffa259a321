import type { JsonValue } from '../json.js';
import { Shape } from './shape.js';

/** custody.json: who held a bundle until it was sealed. Times are RFC 3339 in UTC with milliseconds. */
export interface Custody {
  readonly export_id: string;
  /** The record of the activity chain in which the export was asked for. */
  readonly requested: {
    readonly activity_seq: number;
    readonly at: string;
    readonly by: string;
  };
  /** The version of the service that made the bundle. */
  readonly made: { readonly version: string };
  readonly sealed: { readonly at: string; readonly key_fingerprint: string };
}

const FORMAT = 'decision-ledger/custody/v1';
const DESCRIPTION =
  'Who asked for this bundle, what made it, and when and with which key it was sealed. What happened ' +
  'afterwards cannot be in it: the ledger records each download of the archive, and GET ' +
  '/api/v1/exports/{export_id}/custody lists the custody up to now.';

/** The text of custody.json. */
export function custodyText({ export_id, requested, made, sealed }: Custody): string {
  const custody = {
    format: FORMAT,
    description: DESCRIPTION,
    export_id,
    requested: { activity_seq: requested.activity_seq, at: requested.at, by: requested.by },
    made: { version: made.version },
    sealed: { at: sealed.at, key_fingerprint: sealed.key_fingerprint },
  };
  return `${JSON.stringify(custody, null, 2)}\n`;
}

/**
 * Reads custody.json. Unknown members are refused, because nothing would prove them.
 *
 * @throws ShapeError
 * @example
 * ```ts
 * import { parseCustody } from '@decision-ledger/proof/bundle/custody';
 * import { ShapeError } from '@decision-ledger/proof/bundle/shape';
 *
 * try {
 *   parseCustody({ format: 'decision-ledger/custody/v1' });
 * } catch (error) {
 *   if (error instanceof ShapeError) console.error(error.message);
 * }
 * ```
 */
export function parseCustody(value: JsonValue): Custody {
  const shape = new Shape(value);
  shape.oneOf('format', [FORMAT]);
  shape.oneOf('description', [DESCRIPTION]);
  const custody = {
    export_id: shape.text('export_id'),
    requested: parseRequest(shape.object('requested')),
    made: parseMaking(shape.object('made')),
    sealed: parseSeal(shape.object('sealed')),
  };
  shape.done();
  return custody;
}

function parseRequest(shape: Shape): Custody['requested'] {
  const request = {
    activity_seq: shape.count('activity_seq'),
    at: shape.time('at'),
    by: shape.text('by'),
  };
  shape.done();
  return request;
}

function parseMaking(shape: Shape): Custody['made'] {
  const made = { version: shape.text('version') };
  shape.done();
  return made;
}

function parseSeal(shape: Shape): Custody['sealed'] {
  const sealed = { at: shape.time('at'), key_fingerprint: shape.hash('key_fingerprint') };
  shape.done();
  return sealed;
}
