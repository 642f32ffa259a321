import type { Archive } from '../archive/open.js';
import { reason } from '../archive/open.js';
import type { Findings } from '../report/findings.js';
import { readWhole } from './file-bytes.js';
import { readJson, Shape, ShapeError } from './shape.js';

const FORMAT = 'decision-ledger/bundle/v1';
const SIGNED_BY = 'RSASSA-PKCS1-v1_5 SHA-256';
const MAX_MANIFEST_BYTES = 1024 * 1024;

export const EXPORT_TYPES = ['forensic', 'compliance', 'insurance'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

/** A record of a chain. `prevHash` is that of the record before it. */
export interface Place {
  readonly seq: number;
  readonly hash: string;
}

export interface FirstPlace extends Place {
  readonly prevHash: string;
}

export interface Manifest {
  readonly exportId: string;
  readonly exportType: ExportType;
  readonly organisation: string;
  readonly ledger: string;
  readonly mode: 'live' | 'test';
  readonly createdAt: string;
  /** start ≤ timestamp < end, and start < end. */
  readonly range: { readonly start: string; readonly end: string };
  /** Null in a bundle of sums. */
  readonly decisions: {
    readonly count: number;
    readonly erasedFields: number;
    readonly first: FirstPlace | null;
    readonly last: Place | null;
  } | null;
  readonly activity: {
    readonly since: number;
    readonly first: FirstPlace | null;
    readonly last: Place | null;
  } | null;
  readonly fingerprint: string;
  readonly files: ReadonlyMap<string, { readonly sha256: string; readonly bytes: number }>;
}

/** Its bytes are what the signature is about. */
export interface ReadManifest {
  readonly manifest: Manifest;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const MANIFEST = 'manifest.json';

/** @returns null when there is none that could be followed: there is a finding then */
export async function readManifest(
  archive: Archive,
  findings: Findings,
): Promise<ReadManifest | null> {
  const file = archive.files.get(MANIFEST);
  if (file === undefined) {
    const message = 'The archive has no manifest.json that can be read: it is no bundle.';
    findings.fail('integrity', { code: 'manifest_missing', file: MANIFEST, message });
    return null;
  }
  try {
    const bytes = await readWhole(file, MAX_MANIFEST_BYTES);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { manifest: manifestOf(new Shape(readJson(text)), findings), bytes };
  } catch (error) {
    const message = `manifest.json cannot be followed: ${reason(error)}.`;
    findings.fail('integrity', { code: 'manifest_shape', file: MANIFEST, message });
    return null;
  }
}

/**
 * The form is fixed: what it does not have is refused, since nothing would prove it.
 * @throws ShapeError
 */
function manifestOf(shape: Shape, findings: Findings): Manifest {
  shape.oneOf('format', [FORMAT]);
  shape.text('version');
  const exportType = shape.oneOf('export_type', EXPORT_TYPES);
  const isOfSums = exportType === 'insurance';
  const manifest = {
    exportId: shape.text('export_id'),
    exportType,
    organisation: shape.text('organisation'),
    ledger: shape.text('ledger'),
    mode: shape.oneOf('mode', ['live', 'test']),
    createdAt: shape.time('created_at'),
    range: rangeOf(shape.object('range')),
    decisions: isOfSums ? null : decisionsOf(shape.object('decisions')),
    activity: isOfSums ? null : activityOf(shape.object('activity')),
    fingerprint: fingerprintOf(shape.object('signing_key')),
    files: filesOf(shape, findings),
  };
  shape.done();
  return manifest;
}

function rangeOf(shape: Shape): Manifest['range'] {
  const range = { start: shape.time('start'), end: shape.time('end') };
  shape.done();
  if (range.start >= range.end) throw new ShapeError('range.end is not after range.start.');
  return range;
}

function decisionsOf(shape: Shape): Manifest['decisions'] {
  const decisions = {
    count: shape.count('count'),
    erasedFields: shape.count('erased_fields'),
    ...endsOf(shape),
  };
  shape.done();
  return decisions;
}

function activityOf(shape: Shape): Manifest['activity'] {
  const activity = { since: shape.count('since'), ...endsOf(shape) };
  shape.done();
  return activity;
}

function endsOf(shape: Shape): { first: FirstPlace | null; last: Place | null } {
  return {
    first: firstPlaceOf(shape.optObject('first')),
    last: placeOf(shape.optObject('last')),
  };
}

function fingerprintOf(shape: Shape): string {
  const fingerprint = shape.hash('fingerprint');
  shape.oneOf('algorithm', [SIGNED_BY]);
  shape.done();
  return fingerprint;
}

export function placeOf(shape: Shape | null): Place | null {
  if (shape === null) return null;
  const place = { seq: shape.count('seq'), hash: shape.hash('hash') };
  shape.done();
  return place;
}

export function firstPlaceOf(shape: Shape | null): FirstPlace | null {
  if (shape === null) return null;
  const { seq, hash } = { seq: shape.count('seq'), hash: shape.hash('hash') };
  const prevHash = shape.hash('prev_hash');
  shape.done();
  return { seq, hash, prevHash };
}

function filesOf(shape: Shape, findings: Findings): Manifest['files'] {
  const files = new Map<string, { sha256: string; bytes: number }>();
  for (const [index, value] of shape.array('files').entries()) {
    const file = new Shape(value, `files[${index}]`);
    const name = file.text('name');
    if (files.has(name)) {
      const message = `The manifest lists ${JSON.stringify(name)} twice.`;
      findings.fail('integrity', { code: 'manifest_files', file: name, message });
    }
    files.set(name, { sha256: file.hash('sha256'), bytes: file.count('bytes') });
    file.done();
  }
  return files;
}
