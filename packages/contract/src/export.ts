import { EXPORT_TYPES } from '@decision-ledger/proof/bundle/format';
import { type Static, Type } from 'typebox';
import { Hash, Id, NextCursor, PageParameters, RangeBound, Timestamp } from './shared.js';

const ExportType = Type.Enum([...EXPORT_TYPES], {
  description:
    'forensic: the full evidence. compliance: records as Article 12 of the EU AI Act asks for ' +
    'them. insurance: sums only, nothing about a person.',
});

/** The body of POST /exports. */
export const ExportBody = Type.Object(
  { export_type: ExportType, start_date: RangeBound, end_date: RangeBound },
  { additionalProperties: false },
);
export type ExportBody = Static<typeof ExportBody>;

const ExportStatus = Type.Enum(['pending', 'running', 'complete', 'failed', 'expired'], {
  description:
    'pending: waits for a worker. running: is made. complete: can be downloaded. failed: was given ' +
    'up, see reason. expired: its file is gone.',
});
export type ExportStatus = Static<typeof ExportStatus>;

const Moment = Type.Union([Timestamp, Type.Null()]);

/** An export, from the request for it until its file is gone. */
export const Export = Type.Object({
  export_id: Id('exp'),
  export_type: ExportType,
  start_date: Type.String({ description: 'First instant of the range.' }),
  end_date: Type.String({ description: 'First instant after the range.' }),
  status: ExportStatus,
  progress: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How much is done, 1 when complete.',
  }),
  decisions: Type.Union([Type.Integer(), Type.Null()], {
    description: 'In the range; null until they are counted.',
  }),
  warnings: Type.Array(Type.String()),
  reason: Type.Optional(Type.String({ description: 'Why it failed, expired, or is tried again.' })),
  requested_by: Type.String(),
  created_at: Timestamp,
  completed_at: Moment,
  expires_at: Type.Union([Timestamp, Type.Null()], {
    description: 'When the file is removed; null until it is there.',
  }),
  bytes: Type.Optional(Type.Integer({ description: 'Size of the file.' })),
  sha256: Type.Optional(Hash),
  key_fingerprint: Type.Optional(Hash),
  download_url: Type.Optional(
    Type.String({ description: 'Usable without a key, for 15 minutes from now.' }),
  ),
});
export type Export = Static<typeof Export>;

export const ExportPage = Type.Object({ exports: Type.Array(Export), next_cursor: NextCursor });

export const ExportQuery = Type.Object(
  { status: Type.Optional(ExportStatus), ...PageParameters },
  { additionalProperties: false },
);
export type ExportQuery = Static<typeof ExportQuery>;

/** What a pre-signed download link carries in place of a key. */
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
