import { activityProofsText } from '@decision-ledger/proof/bundle/activity-proofs';
import {
  FILES,
  type FileOfForm,
  isAlwaysDisclosed,
  PROVEN_TYPES,
} from '@decision-ledger/proof/bundle/format';
import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { rangeProofText } from '@decision-ledger/proof/tlog/range';
import sql, { empty, type Sql } from 'sql-template-tag';
import { type ChainName, readChain } from '../../../../platform/chain/head.js';
import { instant } from '../../../../platform/statement.js';
import { type ActivityRecord, selectActivityRecords } from '../../../log/activity/index.js';
import { selectEntries } from '../../../record/decisions/index.js';
import { SigningKeyError } from '../../signing-keys/index.js';
import { proveEach, provePinned } from '../../transparency/index.js';
import { readExportRequest } from '../custody.js';
import type { ExportRun, VerifiedRun } from '../export-run.js';
import { selectProvable } from '../store/chains.js';
import { subjectsInRange } from '../subjects-in-range.js';
import { type BundlePart, textPart } from './part.js';

/** Entries in a page. */
const PAGE = 200;

/** entries.ndjson: the genesis of the chain of decisions, then the entries of the run. */
export function entriesPart(run: ExportRun): BundlePart {
  const { ledger, snapshot } = run;
  const { firstSeq, lastSeq: last } = snapshot;
  const only = onlyChosen(run);
  return chainPart(run, 'entries.ndjson', firstSeq, last, async (first) => {
    const rows = await selectEntries(ledger, { first, last, limit: PAGE }, only);
    return rows.map(({ seq, entry }) => ({ seq, lines: [entry] }));
  });
}

/** Conditions on the decisions whose entries are shown, starting with ` and `: none if all of the run are. */
export function onlyChosen({ snapshot, selection }: ExportRun): Sql {
  if (selection === null) return empty;
  const { start, end } = snapshot;
  return sql` and "timestamp" >= ${instant(start)} and "timestamp" < ${instant(end)}${selection.choice.chosen}`;
}

/**
 * activity.ndjson: the genesis of the chain of activity, then all entries up to the end of the bundle.
 * The times that an entry states follow on the next line. If its subject is a record of this bundle, or its
 * type is always disclosed, its data come next.
 * @param subjectsIn the subjects of these records whose data are disclosed
 */
export function activityPart(
  run: VerifiedRun,
  subjectsIn: SubjectsIn = (records) => subjectsInRange(run, records),
): BundlePart {
  const { ledger, snapshot, activitySeq: last } = run;
  return chainPart(run, 'activity.ndjson', 1, last, async (first) => {
    const records = await selectActivityRecords(ledger, { first, last, limit: PAGE });
    const subjects = await subjectsIn(records);
    return records.map(({ seq, entry, data, when, subject, type }) => {
      const isShown =
        subjects.has(subject) || isAlwaysDisclosed(type) || snapshot.namings.includes(seq);
      const lines = [entry, when, isShown ? data : null];
      return { seq, lines: lines.filter((line) => line !== null) };
    });
  });
}

type SubjectsIn = (records: readonly ActivityRecord[]) => Promise<ReadonlySet<string>>;

/** The same for a bundle that shows decisions and no money. */
export function activityOfDecisionsPart(run: VerifiedRun): BundlePart {
  return activityPart(run, (records) => subjectsInRange(run, records, ['dec']));
}

/** chain_verification.json: the result of verifying both chains. */
export function verificationPart({ chains }: VerifiedRun): BundlePart {
  return textPart(async () => ({ text: `${JSON.stringify(chains, null, 2)}\n`, records: 0 }));
}

export interface EntryLines {
  readonly seq: number;
  readonly lines: readonly string[];
}

/** @param page reads the entries from a seq; none at the end */
export function chainPart(
  run: ExportRun,
  file: FileOfForm<'chain'>,
  firstSeq: number,
  lastSeq: number,
  page: (first: number) => Promise<readonly EntryLines[]>,
): BundlePart {
  return {
    async *pieces(from) {
      let after = from === null ? firstSeq - 1 : Number(from);
      if (from === null) {
        yield { text: `${await genesisOf(run, file)}\n`, next: String(after), records: 0 };
      }
      while (after < lastSeq) {
        const entries = await page(after + 1);
        const last = entries.at(-1);
        if (last === undefined) break;
        after = last.seq;
        const text = entries.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('');
        yield { text, next: String(after), records: entries.length };
      }
    },
  };
}

/** The genesis entry of the chain of a file, as it was hashed. */
async function genesisOf({ ledger }: ExportRun, file: FileOfForm<'chain'>): Promise<string> {
  const { chain } = FILES[file];
  const state = await readChain(ledger, chain);
  if (state === null) throw new Error(`the chain of ${chain} has no beginning`);
  return state.genesis;
}

/** The signed checkpoint of a log. */
export function checkpointPart({ logs }: VerifiedRun, chain: ChainName): BundlePart {
  return textPart(async () => ({ text: logs[chain].checkpoint, records: 0 }));
}

/** decisions.range.json: the place of the run in the log of decisions. */
export function rangePart({ ledger, snapshot, logs }: VerifiedRun): BundlePart {
  const { firstSeq: first, lastSeq: last } = snapshot;
  return textPart(async () => {
    const proof = await provePinned(ledger, logs.decisions, { first, last });
    return { text: `${rangeProofText(proof)}\n`, records: 0 };
  });
}

/** activity.proofs.json: for a bundle without the chain of activity, the records that prove its logs and its key. */
export function activityProofsPart({ ledger, snapshot, row, logs }: VerifiedRun): BundlePart {
  return textPart(async () => {
    const request = await readExportRequest(ledger, row.export_id);
    const rows = await selectProvable(ledger, PROVEN_TYPES, [request.seq, snapshot.logs.named]);
    if (rows.some(({ seq }) => seq > logs.activity.size)) throw new SigningKeyError(KEY_CHANGED);
    const paths = await proveEach(
      ledger,
      logs.activity,
      rows.map(({ seq }) => seq),
    );
    const records = rows.map(({ seq, entry, data }, at) => ({
      entry,
      data,
      index: seq - 1,
      path: (paths[at] ?? []).map(encodeBase64),
    }));
    return { text: activityProofsText(records), records: 0 };
  });
}

const KEY_CHANGED = 'the signing key was replaced while the export was made: request it again';
