import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isAlwaysDisclosed } from '@decision-ledger/proof/bundle/format';
import { withheldActivityLine, withheldLine } from '@decision-ledger/proof/bundle/selection';
import { type IdPrefix, idToUuid, uuidToId } from '../../../../platform/ids.js';
import { type ActivityRecord, selectActivityRecords } from '../../../log/activity/index.js';
import { selectDecisionsInRange, selectOtherHashes } from '../../../record/decisions/index.js';
import { type ExportRun, shownRange, type VerifiedRun } from '../export-run.js';
import type { RunSelection } from '../selection.js';
import { chainPart, type EntryLines, onlyChosen } from './chains.js';
import type { BundlePart } from './part.js';

/** Records in a page. */
const HASHES = 5000;
const RECORDS = 200;

/** withheld.ndjson: the places and hashes of the decisions of the run that the filter did not choose. */
export function withheldPart(run: ExportRun): BundlePart {
  const { ledger, snapshot } = run;
  const { firstSeq, lastSeq: last } = snapshot;
  const chosen = onlyChosen(run);
  return {
    async *pieces(from) {
      let after = from === null ? firstSeq - 1 : Number(from);
      while (after < last) {
        const span = { first: after + 1, last, limit: HASHES };
        const points = await selectOtherHashes(ledger, span, chosen);
        after = points.at(-1)?.seq ?? last;
        const text = points.map((point) => `${withheldLine(point)}\n`).join('');
        yield { text, next: String(after), records: points.length };
      }
    },
  };
}

/**
 * activity.ndjson, with nothing but the hash of each record about a decision, an event or a link that the bundle
 * does not show. Where metadata were erased that the filter compares, the record of the erasure is shown without
 * its data: somebody who knows the decision sees why it does not match any more.
 */
export function chosenActivityPart(run: VerifiedRun, { choice }: RunSelection): BundlePart {
  const { ledger, activitySeq: last } = run;
  let ofFiles: Promise<ReadonlySet<string>> | null = null;
  return chainPart(run, 'activity.ndjson', 1, last, async (first) => {
    const records = await selectActivityRecords(ledger, { first, last, limit: RECORDS });
    ofFiles ??= idsInFiles(run);
    const ids = decisionsAmong(records);
    const shown = await selectDecisionsInRange(ledger, shownRange(run), ids);
    const undecided = await selectDecisionsInRange(
      ledger,
      { ...run.snapshot, only: choice.undecidable },
      ids,
    );
    const subjects = { files: await ofFiles, decisions: idsOf(shown), undecided: idsOf(undecided) };
    return records.map((record) => ({ seq: record.seq, lines: linesOf(record, subjects, run) }));
  });
}

interface Subjects {
  /** The events and links that the bundle shows. */
  readonly files: ReadonlySet<string>;
  readonly decisions: ReadonlySet<string>;
  /** Decisions whose metadata were erased, so that the filter cannot say whether they match. */
  readonly undecided: ReadonlySet<string>;
}

function linesOf(
  { seq, entry, hash, data, when, subject, type }: ActivityRecord,
  { files, decisions, undecided }: Subjects,
  { snapshot }: ExportRun,
): EntryLines['lines'] {
  const isOfBundle = files.has(subject) || decisions.has(subject);
  if (!isOfBundle && isAboutRecord(subject)) {
    const isErasure = type === 'decision.field_erased' && undecided.has(subject);
    return [isErasure ? entry : withheldActivityLine(hash)];
  }
  const isShown = isOfBundle || isAlwaysDisclosed(type) || snapshot.namings.includes(seq);
  return [entry, when, isShown ? data : null].filter((line) => line !== null);
}

const ABOUT: readonly IdPrefix[] = ['dec', 'evt', 'lnk'];

function isAboutRecord(subject: string): boolean {
  return ABOUT.some((prefix) => subject.startsWith(`${prefix}_`));
}

function decisionsAmong(records: readonly ActivityRecord[]): string[] {
  const uuids = records.map(({ subject }) => idToUuid('dec', subject));
  return [...new Set(uuids.filter((uuid) => uuid !== null))];
}

function idsOf(uuids: readonly string[]): ReadonlySet<string> {
  return new Set(uuids.map((uuid) => uuidToId('dec', uuid)));
}

/** The ids of the events and links that were written: their choice depends on reviews that may go on. */
async function idsInFiles({ folder }: ExportRun): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const name of ['events.json', 'links.json']) {
    const input = createReadStream(join(folder.path, name), { encoding: 'utf8' });
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      const [, id] = /^\{"id":"([a-z]{3}_[0-9a-z]{26})"/.exec(line) ?? [];
      if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}
