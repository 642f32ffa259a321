import type { VerifiedRun } from '#server/domains/evidence/exports/export-run';
import type { BundlePart, Piece } from '#server/domains/evidence/exports/parts/part';
import { insertExport, selectExport } from '#server/domains/evidence/exports/store/exports';
import { openWorkFolder } from '#server/domains/evidence/exports/work-folder';
import type { Client } from '../../support/client.js';
import { type Instance, scopeOf } from '../../support/service.js';

export async function piecesOf(part: BundlePart, from: string | null = null): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const piece of part.pieces(from)) pieces.push(piece);
  return pieces;
}

/** The whole file. */
export async function drain(part: BundlePart): Promise<string> {
  return (await piecesOf(part)).map(({ text }) => text).join('');
}

/** The whole file, resumed from scratch after every piece. */
export async function drainBrokenOff(part: BundlePart): Promise<string> {
  let text = '';
  let from: string | null = null;
  for (;;) {
    const piece: Piece | undefined = await firstOf(part.pieces(from));
    if (piece === undefined) return text;
    text += piece.text;
    from = piece.next;
  }
}

async function firstOf(pieces: AsyncIterable<Piece>): Promise<Piece | undefined> {
  for await (const piece of pieces) return piece;
  return undefined;
}

const VALID_CHAINS: VerifiedRun['chains'] = {
  is_valid: true,
  records_checked: 7,
  first_broken_link: null,
  start: null,
  end: null,
  erased_fields: 0,
  verification_timestamp: '2026-04-16T09:30:00.000Z',
  activity: { is_valid: true, records_checked: 9, first_broken_link: null, start: null, end: null },
};

const NO_LOG = { generation: 1, size: 0, checkpoint: '', verifierKey: '' };

type Bounds = Partial<Pick<VerifiedRun['snapshot'], 'start' | 'end' | 'lastSeq'>>;

/** The same export with other bounds. */
export function within(run: VerifiedRun, bounds: Bounds): VerifiedRun {
  return { ...run, snapshot: { ...run.snapshot, ...bounds } };
}

/** The run of a requested export, at the point where its records are copied. */
export async function verifiedRun(
  bed: Instance,
  client: Client,
  range: { readonly start: number; readonly end: number },
): Promise<VerifiedRun> {
  const { service } = bed;
  const scope = await scopeOf(bed, client);
  const exportId = service.ids.uuid();
  await service.db.ledger(scope).write((tx) =>
    insertExport(tx, {
      ...{ export_id: exportId, export_type: 'forensic', agent_id: null, requested_by: 'a test' },
      ...{ filter: null, filter_commitment: null },
      ...{
        range_start: range.start,
        range_end: range.end,
        range_basis: 'recorded',
        is_large: false,
      },
      created_at: service.clock.now(),
    }),
  );
  const row = await selectExport(service.db.ledger(scope), exportId);
  if (row === null) throw new Error('the export is not there');
  return {
    ...{
      ...service,
      version: '0.0.0-test',
      ledger: service.db.ledger(scope),
      row,
      chains: VALID_CHAINS,
      activitySeq: 9,
      uploads: [],
    },
    verify: () => Promise.reject(new Error('the chains are verified already')),
    reconcile: () => Promise.reject(new Error('the tables are compared already')),
    onFailure: () => undefined,
    onRestart: () => undefined,
    onSealed: () => undefined,
    logs: {
      decisions: { ...NO_LOG, chain: 'decisions' },
      activity: { ...NO_LOG, chain: 'activity' },
    },
    snapshot: {
      ...range,
      firstSeq: 1,
      lastSeq: Number.MAX_SAFE_INTEGER,
      decisions: 0,
      head: 0,
      since: 0,
      logs: { decisions: 0, activity: 0, named: 0 },
      ...{ inRange: 0, erased: 0, namings: [] },
    },
    selection: null,
    folder: await openWorkFolder(service.workDir, exportId),
    signal: new AbortController().signal,
  };
}
