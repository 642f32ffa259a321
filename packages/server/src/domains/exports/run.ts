import { uuidToId } from '../../platform/ids.js';
import type { Scope } from '../../platform/scope.js';
import { mac } from '../../platform/secrets.js';
import { openSigner } from '../signing-keys/index.js';
import { type Bundle, type BundleTools, sealBundle } from './bundle.js';
import { type VerifyChain, verifyRun } from './chain-report.js';
import { holdsErased } from './erased.js';
import { countFailure, type FailureTools } from './failure.js';
import { type FinishTools, finish } from './finish.js';
import { KINDS } from './kinds.js';
import { isNoRoom } from './no-room.js';
import type { Part } from './parts/part.js';
import { type Pins, pinNow } from './pins.js';
import { readExport } from './read.js';
import type { ExportRow } from './store/export-row.js';
import { selectActivityEnd } from './store/select-activity-end.js';
import { updateAnew } from './store/update-anew.js';
import { updateBegun } from './store/update-begun.js';
import { updateProgress } from './store/update-progress.js';
import { tellStatus } from './tell.js';
import {
  openWorkFolder,
  removeLeftFolders,
  type WorkFolder,
  type WorkState,
} from './work-folder.js';
import { writePart } from './write-part.js';

export interface RunTools extends BundleTools, FinishTools, FailureTools {
  readonly verify: VerifyChain;
  /** Told why each time that what was made is thrown away. */
  readonly onAnew: (reason: string) => void;
}

const ERASED = 'a field in its range was erased while it was made: it begins anew';

/** The export is not to be made any more: another process made it, or it was given up. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Makes an export. A try goes on where one before it stopped; after too many failures the export is
 * failed, and says why.
 */
export async function runExport(
  tools: RunTools,
  scope: Scope,
  exportId: string,
  signal: AbortSignal,
): Promise<void> {
  const row = await readExport(tools.db, scope, exportId);
  if (!(await begin(tools, scope, row))) return;
  try {
    while (!(await attempt(tools, scope, row, signal))) {
      tools.onAnew(`${exportId}: ${ERASED}`);
      await updateAnew(tools.db, scope, row.export_id, ERASED);
      signal.throwIfAborted();
    }
  } catch (error) {
    // Payloads are in them, and nobody goes on from there; or they are what fills the disk.
    if (error instanceof Superseded || isNoRoom(error)) {
      await removeLeftFolders(tools.workDir, row.export_id);
    }
    if (error instanceof Superseded) return;
    if (signal.aborted) throw error;
    if ((await countFailure(tools, scope, exportId, error)) !== 'failed') throw error;
  }
}

function begin({ db, clock }: RunTools, scope: Scope, row: ExportRow): Promise<boolean> {
  return db.transaction(async (tx) => {
    const begun = await updateBegun(tx, scope, row.export_id);
    if (begun && row.status === 'pending') {
      await tellStatus(tx, scope, row.export_id, 'running', clock.now());
    }
    return begun;
  });
}

/** @returns false where it has to be made anew, since a field was erased meanwhile */
async function attempt(
  tools: RunTools,
  scope: Scope,
  row: ExportRow,
  signal: AbortSignal,
): Promise<boolean> {
  // A key that does not open is found out before payloads are copied; the seal opens the one of then.
  await openSigner(tools, scope, row.requested_by);
  const folder = await openWorkFolder(tools.workDir, row.export_id);
  const pins = folder.state?.pins ?? (await pinNow(tools.db, scope, row));
  const bundle = await makeBundle(tools, scope, row, folder, pins, signal);
  signal.throwIfAborted();
  const isKept = bundle !== null && (await finish(tools, scope, row, pins, bundle));
  await folder.remove();
  return isKept;
}

/** @returns null where a field was erased that it may hold */
async function makeBundle(
  tools: RunTools,
  scope: Scope,
  row: ExportRow,
  folder: WorkFolder,
  pins: Pins,
  signal: AbortSignal,
): Promise<Bundle | null> {
  const { db, clock, verify } = tools;
  const kind = KINDS[row.export_type];
  const work = workOn(tools, scope, row, folder, pins, signal);
  const copied = kind.copied({ db, scope, pins });
  for (const part of copied) await work.write(part);
  const activity = await work.pinActivity();
  const report = await verifyRun(verify, db, scope, pins, activity);
  const closing = kind.closing({
    ...{ db, scope, pins, report, clock, signal },
    activitySeq: activity.seq,
    secret: mac(tools.keyring.kept('insurance names'), uuidToId('exp', row.export_id)),
  });
  for (const part of closing) await work.write(part);
  if (await holdsErased(db, scope, row, pins)) return null;
  const { now } = await selectActivityEnd(db, scope);
  const names = [...copied, ...closing].map(({ name }) => name);
  return sealBundle(tools, scope, row, { folder: folder.path, names, pins, report, now });
}

/** Writes files, and keeps how far they have come: in the folder for a restart, in the row for all. */
function workOn(
  { db }: RunTools,
  scope: Scope,
  { export_id }: ExportRow,
  folder: WorkFolder,
  pins: Pins,
  signal: AbortSignal,
) {
  let state: WorkState = folder.state ?? { pins, activitySeq: null, parts: {} };
  const { decisions, firstSeq, lastSeq, since } = pins;
  const total = decisions + (lastSeq - firstSeq + 1) + since;
  const keep = async (changed: WorkState) => {
    state = changed;
    await folder.save(state);
    const written = Object.values(state.parts).reduce((sum, { records }) => sum + records, 0);
    if (!(await updateProgress(db, scope, export_id, { decisions, written, total }))) {
      throw new Superseded('the export is not to be made any more');
    }
  };
  return {
    write: (part: Part): Promise<void> =>
      writePart(
        folder.path,
        part,
        state.parts[part.name],
        (checkpoint) => keep({ ...state, parts: { ...state.parts, [part.name]: checkpoint } }),
        signal,
      ),
    async pinActivity() {
      const { seq, now } = await selectActivityEnd(db, scope);
      if (state.activitySeq === null) await keep({ ...state, activitySeq: seq });
      return { seq: state.activitySeq ?? seq, now };
    },
  };
}
