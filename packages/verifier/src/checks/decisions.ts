import { PAYLOAD_FIELDS } from '@decision-ledger/proof/bundle/format';
import type { RecordsManifest } from '@decision-ledger/proof/bundle/manifest';
import { matchesFilter, type SelectionFilter } from '@decision-ledger/proof/bundle/selection';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { VerdictName } from '../report/report.js';
import type { ActivityFacts } from './activity-facts.js';
import {
  type DecisionRecord,
  disclosureProblem,
  type FieldRecord,
  hashOfRecord,
  listingProblem,
  readDecision,
} from './decision-record.js';
import { isInRange } from './entries.js';
import type { Files } from './files.js';
import { Order, RecordLines } from './record-lines.js';
import type { Run } from './run.js';
import type { Chosen } from './selection/chosen.js';
import { UploadFiles } from './upload-files.js';

const DECISIONS = 'decisions.json' as const;

/** The file whose records are checked, and what is known about them. */
interface Known {
  readonly file: 'decisions.json' | 'article12.json';
  readonly manifest: RecordsManifest;
  readonly findings: Findings;
  readonly run: Run;
  /** Epoch of the chain. */
  readonly epoch: number;
  readonly activity: ActivityFacts;
  /** What the bundle must show; null if it shows everything of its range. */
  readonly chosen: Chosen | null;
  /** The filter of the bundle that this one is compared with; null if it has none. */
  readonly otherFilter: SelectionFilter | null;
}

/** Checks that each decision has the hash of its entry, and that no decision of the range is missing. */
export async function checkDecisions(files: Files, chains: Omit<Known, 'file'>): Promise<void> {
  const known = { file: DECISIONS, ...chains };
  const check = new DecisionCheck(known);
  const lines = new RecordLines(DECISIONS, known.findings, (record) =>
    check.check(readDecision(record)),
  );
  await files.lines(DECISIONS, lines);
  lines.end();
  check.end(lines.count);
}

/** Compares records of decisions with the run of entries and with the activity chain. */
export class DecisionCheck {
  readonly #known: Known;
  #erased = 0;
  readonly #order = new Order<number>();
  readonly #uploads: UploadFiles;

  constructor(known: Known) {
    this.#known = known;
    this.#uploads = new UploadFiles(known.manifest);
  }

  check(record: DecisionRecord): void {
    const { seq, decision_id: id, timestamp } = record.columns;
    this.#place(record);
    if (!this.#order.follows(timestamp, seq)) {
      const message = 'The decision is not in the position of its timestamp and seq.';
      this.#fail('record_order', message, record);
    }
    if (!isInRange(this.#known.manifest, timestamp)) {
      const message = `The decision is dated ${timestamp}, which is not in the range.`;
      this.#fail('decision_outside', message, record, 'completeness');
    }
    const stated = this.#known.activity.decisionTimes.get(id) ?? timestamp;
    if (stated !== timestamp) {
      const message = `The decision is dated ${timestamp}; the activity of a link to it says ${stated}.`;
      this.#fail('when_differs', message, record);
    }
    for (const field of record.fields) this.#field(field, record);
    const absent = record.fields.filter((one) => one.commitment !== null && one.value === null);
    const names = absent.map(({ name }) => name).sort();
    const listing = listingProblem([...record.erasedFields].sort(), names);
    if (listing !== null) this.#fail(listing.code, listing.message, record);
    this.#erased += absent.length;
    if (this.#known.activity.hidesErasure(id)) {
      const message = 'A field of the decision was erased; the bundle withholds which.';
      this.#fail('disclosure_missing', message, record);
    }
    this.#known.run.see(seq);
    this.#known.chosen?.decision(record);
    this.#compareFilter(record);
  }

  /** Whether the other bundle, which has a filter, must show the decision, too. */
  #compareFilter({ columns, fields }: DecisionRecord): void {
    const { otherFilter, run } = this.#known;
    const metadata = fields.find(({ name }) => name === 'metadata')?.value ?? null;
    if (otherFilter === null || !matchesFilter(otherFilter, columns, metadata)) return;
    run.choose(columns.seq, columns.decision_id);
  }

  end(count: number): void {
    const { file, run, manifest, findings, activity } = this.#known;
    for (const seq of run.unseen()) {
      const message = `The entry of seq ${seq} is in the range, but its decision is not in ${file}.`;
      const finding = { code: 'decision_missing', file, seq, message } as const;
      findings.fail('completeness', finding);
    }
    for (const name of this.#uploads.unstated()) {
      const message = `No decision of ${file} stands for ${name}.`;
      findings.fail('integrity', { code: 'upload_differs', file: name, message });
    }
    const listed = manifest.decisions;
    if (listed.count !== count) {
      const message = `${file} has ${count} decisions; the manifest says ${listed.count}.`;
      const finding = { code: 'count_differs', file, message } as const;
      findings.fail('completeness', finding);
    }
    const others = activity.withheldErasures + activity.hidden.length;
    const counted = { erased: this.#erased, records: count, others };
    checkErased(counted, manifest, { findings, file });
  }

  /** Checks that the hash of the record is that of the entry with its seq. */
  #place(record: DecisionRecord): void {
    const { run, manifest, epoch } = this.#known;
    const { seq } = record.columns;
    const hash = hashOfRecord(record, { ledger: manifest.ledger, epoch });
    if (hash !== record.hash) {
      const message = `The decision makes an entry with the hash ${hash}, but states ${record.hash}.`;
      this.#fail('decision_hash', message, record);
    }
    const standing = run.hashAt(seq);
    if (standing !== record.hash) {
      const message =
        standing === null
          ? 'There is no entry with the seq of the decision.'
          : `The decision states the hash ${record.hash}; the entry with its seq has ${standing}.`;
      this.#fail('decision_unknown', message, record);
    } else if (run.isSeen(seq)) {
      this.#fail('record_duplicate', 'The decision appears twice.', record);
    }
  }

  #field(field: FieldRecord, record: DecisionRecord): void {
    const { name, value, commitment } = field;
    const { activity } = this.#known;
    const erasedAt = activity.erasedAt(record.columns.decision_id, name);
    const problem = disclosureProblem(field);
    if (problem !== null) this.#fail(problem.code, problem.message, record);
    const upload = this.#uploads.problemOf(record.columns.decision_id, field);
    if (upload !== null) this.#fail('upload_differs', upload, record);
    if (value === null) {
      if (commitment !== null && erasedAt === null) {
        const message = `${name} is absent, but no activity records its erasure.`;
        this.#fail('erasure_unrecorded', message, record);
      }
      return;
    }
    if (erasedAt !== null) {
      const message = `${name} was erased by the activity of seq ${erasedAt}, but is still there.`;
      this.#fail('erasure_ignored', message, record);
    }
  }

  #fail(
    code: FindingCode,
    message: string,
    { columns }: DecisionRecord,
    verdict: VerdictName = 'integrity',
  ): void {
    const { seq, decision_id: id } = columns;
    const { file, findings } = this.#known;
    findings.fail(verdict, { code, file, seq, id, message });
  }
}

export interface ErasedCount {
  /** Number of erased fields in the records of the file. */
  readonly erased: number;
  readonly records: number;
  /** Maximum number of decisions outside the file that may have an erased field. */
  readonly others: number;
}

/**
 * Compares the number of erased fields with the manifest, which also counts those of decisions of the
 * run outside the range.
 */
function checkErased(
  { erased, records, others }: ErasedCount,
  { decisions }: RecordsManifest,
  { findings, file }: { readonly findings: Findings; readonly file: string },
): void {
  const { first, last, erased_fields: erasedFields } = decisions;
  const run = first === null || last === null ? 0 : last.seq - first.seq + 1;
  const max = erased + PAYLOAD_FIELDS.length * Math.max(0, Math.min(run - records, others));
  if (erased <= erasedFields && erasedFields <= max) return;
  const message = `${erased} fields are erased; the manifest says ${erasedFields}.`;
  findings.fail('integrity', { code: 'count_differs', file, message });
}
