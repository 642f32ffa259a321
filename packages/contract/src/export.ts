import { EXPORT_TYPES, RANGE_BASES } from '@decision-ledger/proof/bundle/format';
import { type Static, Type } from 'typebox';
import { Hash, Id, Name, NextCursor, PageParameters, RangeBound, Timestamp } from './shared.js';

const ExportType = Type.Enum([...EXPORT_TYPES], {
  description:
    'forensic: the full evidence. compliance: the records that Article 12 of the EU AI Act ' +
    'requires. insurance: aggregates only, no personal data. statement: the figures of one agent, ' +
    'with the rows that they are the sums of.',
});

const basisOf = (description: string) => Type.Enum([...RANGE_BASES], { description });

const FilterConfidence = Type.Number({ minimum: 0, maximum: 1 });

/** What an export shows of its range: the decisions that GET /decisions finds with the same filter. */
export const ExportFilter = Type.Object(
  {
    agent_id: Type.Optional(Name('Only decisions of this agent.')),
    action_type: Type.Optional(Name('Only decisions of this action type.')),
    human_in_loop: Type.Optional(Type.Boolean()),
    min_confidence: Type.Optional(FilterConfidence),
    max_confidence: Type.Optional(FilterConfidence),
    metadata: Type.Optional(
      Type.Record(
        Type.String({ pattern: String.raw`^[\s\S]{1,200}$` }),
        Type.String({ maxLength: 1000 }),
        {
          additionalProperties: false,
          maxProperties: 20,
          'x-names': 'must have a name of 1 to 200 characters',
          description:
            'Members of the metadata with their values as text: each matches that string, and the number, ' +
            'boolean or null with that JSON text.',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type ExportFilter = Static<typeof ExportFilter>;

const filterOf = (description: string) =>
  Type.Object(ExportFilter.properties, { additionalProperties: false, description });

/** The body of POST /exports. */
export const ExportBody = Type.Object(
  {
    export_type: ExportType,
    start_date: RangeBound,
    end_date: RangeBound,
    agent_id: Type.Optional(Name('The agent of a statement. Required for this type alone.')),
    filter: Type.Optional(
      filterOf(
        'For forensic exports: the bundle shows only the decisions that match all conditions, and the rest ' +
          'of its run as hashes. At least one condition.',
      ),
    ),
    range_basis: Type.Optional(
      basisOf(
        'What the bundle proves to be complete, if it contains decisions. recorded (default): what was ' +
          'recorded in the range. decided: what was decided in it, as far as ' +
          'recording.max_lateness_seconds bounds how late a decision is recorded.',
      ),
    ),
  },
  { additionalProperties: false },
);
export type ExportBody = Static<typeof ExportBody>;

const ExportStatus = Type.Enum(['pending', 'running', 'complete', 'failed', 'expired'], {
  description:
    'pending: waits for a worker. running: being created. complete: can be downloaded. failed: all ' +
    'tries failed, see reason. expired: its file was removed.',
});
export type ExportStatus = Static<typeof ExportStatus>;

const Moment = Type.Union([Timestamp, Type.Null()]);

/** An export, from its request until its file is removed. */
export const Export = Type.Object({
  export_id: Id('exp'),
  export_type: ExportType,
  agent_id: Type.Optional(Type.String({ description: 'The agent of a statement.' })),
  range_basis: Type.Optional(basisOf('Only for bundles that contain decisions.')),
  filter: Type.Optional(
    filterOf(
      'What the bundle shows, if it does not show everything of its range. It is forgotten when the file ' +
        'is removed. The answer to POST does not repeat it.',
    ),
  ),
  filter_commitment: Type.Optional(
    Type.String({
      description:
        'A salted digest of the filter, as the activity chain has it. Present if there was a filter.',
    }),
  ),
  start_date: Type.String({ description: 'First instant of the range.' }),
  end_date: Type.String({ description: 'First instant after the range.' }),
  status: ExportStatus,
  progress: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Completed share, 1 when complete.',
  }),
  decisions: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Decisions in the range, or those of them that match the filter; null until they are counted.',
  }),
  warnings: Type.Array(Type.String()),
  reason: Type.Optional(
    Type.String({ description: 'Why the export failed, expired, or is being retried.' }),
  ),
  requested_by: Type.String(),
  created_at: Timestamp,
  completed_at: Moment,
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the file is removed; null until the export is complete.',
  }),
  bytes: Type.Optional(Type.Integer({ description: 'Size of the file.' })),
  sha256: Type.Optional(Hash),
  key_fingerprint: Type.Optional(Hash),
  download_url: Type.Optional(Type.String({ description: 'Valid for 15 minutes, without a key.' })),
});
export type Export = Static<typeof Export>;

export const ExportPage = Type.Object({ exports: Type.Array(Export), next_cursor: NextCursor });

export const ExportQuery = Type.Object(
  { status: Type.Optional(ExportStatus), ...PageParameters },
  { additionalProperties: false },
);
export type ExportQuery = Static<typeof ExportQuery>;

/** The query of GET /exports/{id}/custody. */
export const CustodyQuery = Type.Object(PageParameters, { additionalProperties: false });
export type CustodyQuery = Static<typeof CustodyQuery>;

/** The query of a pre-signed download URL, in place of a key. */
export const DownloadQuery = Type.Object(
  {
    ledger: Type.Optional(Type.String()),
    key_id: Type.Optional(Type.String()),
    expires: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type DownloadQuery = Static<typeof DownloadQuery>;

/** The public key of a pair that signs exports. */
export const SigningKey = Type.Object({
  fingerprint: Type.String({
    ...Hash,
    description: 'SHA-256 of the SubjectPublicKeyInfo in DER, in lower-case hexadecimal.',
  }),
  algorithm: Type.String(),
  public_key: Type.String({ description: 'PEM.' }),
  created_at: Timestamp,
  retired_at: Type.Union([Timestamp, Type.Null()], {
    description: 'Null for the current key.',
  }),
});
export type SigningKey = Static<typeof SigningKey>;

export const SigningKeyPage = Type.Object({
  signing_keys: Type.Array(SigningKey, {
    description: 'Newest first; empty before the first export.',
  }),
  next_cursor: NextCursor,
});

export const SigningKeyQuery = Type.Object(PageParameters, { additionalProperties: false });
