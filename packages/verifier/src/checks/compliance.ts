import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import type { VerdictName } from '../report/report.js';
import { type Article12, erasedIn, problemsOf, readArticle12 } from './article12.js';
import { isInRange, shown } from './entries.js';
import { checkErased } from './erased-count.js';
import type { Files } from './files.js';
import { checkGenesis, type Genesis } from './genesis.js';
import type { Manifest } from './manifest.js';
import { Order } from './order.js';
import { type Frame, RecordLines } from './record-lines.js';
import { Run } from './run.js';

const RECORDS = 'article12.json';
const COMPLETENESS = 'completeness.json';
const FUTURE_MS = 5 * 60 * 1000;
const SHOWN = 300;

/** What of a record is compared with the others. */
interface Record12 {
  readonly seq: number;
  readonly hash: string;
  readonly prevHash: string;
  readonly timestamp: string;
  readonly createdAt: string;
}

/**
 * The records of a compliance bundle name the hash of the one before them: where no seq is missing
 * among them, they are proven to be all there.
 * @returns the records as a run, the genesis, and whether they go on from it, which says whose they are
 *   and of which mode
 */
export async function checkCompliance(
  files: Files,
  manifest: Manifest,
  findings: Findings,
): Promise<{ run: Run; genesisHash: string | null; isModeProven: boolean }> {
  const genesis = await checkGenesis(files, manifest, findings);
  const reader = new RecordReader(manifest, genesis, findings);
  const frame = frameOf(manifest);
  const lines = new RecordLines(
    RECORDS,
    findings,
    (record) => reader.take(readArticle12(record)),
    frame,
  );
  await files.lines(RECORDS, lines);
  lines.end();
  const records = reader.records.sort((a, b) => a.seq - b.seq);
  const statement = (await files.text(COMPLETENESS))?.replaceAll(/\s+/g, ' ').slice(0, SHOWN);
  checkCount(lines.count, manifest, findings);
  const { erased } = reader;
  const counted = { erased, records: records.length, others: Number.POSITIVE_INFINITY };
  checkErased(counted, manifest, { findings, file: RECORDS });
  checkEnds(records, manifest, findings);
  const hole = checkLinks(records, findings);
  if (hole !== null) {
    const message = `${hole}. ${COMPLETENESS} states: ${statement ?? 'nothing'}`;
    findings.doubt('completeness', { code: 'records_unlinked', file: RECORDS, message });
  }
  checkTimes(records, manifest, genesis, findings);
  const run = new Run();
  for (const record of records) run.add(record, true);
  const isModeProven = checkBeginning(records[0], genesis, findings);
  return { run, genesisHash: genesis?.hash ?? null, isModeProven };
}

/** What stands around the records. It is part of the format, and names what the manifest names. */
function frameOf({ ledger, range: { start, end } }: Manifest): Frame {
  const about = {
    format: 'decision-ledger/article12/v1',
    description:
      'Records of automated decisions in the structure of Article 12 of Regulation (EU) 2024/1689, ' +
      'one a line, by timestamp, then by seq. completeness.json says what they lack.',
    ledger,
    range: { start, end },
  };
  return { head: `${JSON.stringify(about).slice(0, -1)},"records":[`, tail: ']}' };
}

/** Takes the records in the order in which they stand, and looks at each by itself. */
class RecordReader {
  readonly records: Record12[] = [];
  erased = 0;
  readonly #manifest: Manifest;
  readonly #genesis: Genesis | null;
  readonly #findings: Findings;
  readonly #order = new Order<number>();

  constructor(manifest: Manifest, genesis: Genesis | null, findings: Findings) {
    this.#manifest = manifest;
    this.#genesis = genesis;
    this.#findings = findings;
  }

  take(record: Article12): void {
    const { hash, epoch, columns } = record;
    const { seq, prev_hash: prevHash, timestamp, created_at: createdAt } = columns;
    this.records.push({ seq, hash, prevHash, timestamp, createdAt });
    this.erased += erasedIn(record).length;
    if (epoch !== (this.#genesis?.epoch ?? epoch)) {
      this.#fail('entry_foreign', `The record is of the epoch ${epoch}.`, record);
    }
    if (!this.#order.follows(timestamp, seq)) {
      const message = 'The record does not stand where its timestamp and seq put it.';
      this.#fail('record_order', message, record);
    }
    if (!isInRange(this.#manifest, timestamp)) {
      const message = `The record is dated ${timestamp}, which is not in the range.`;
      this.#fail('decision_outside', message, record, 'completeness');
    }
    if (Date.parse(timestamp) > Date.parse(createdAt) + FUTURE_MS) {
      const message = `The decision is dated ${timestamp}, and was recorded at ${createdAt}.`;
      this.#fail('time_ahead', message, record, 'time');
    }
    for (const { code, message } of problemsOf(record, this.#manifest.ledger)) {
      this.#fail(code, message, record);
    }
  }

  #fail(
    code: FindingCode,
    message: string,
    { columns }: Article12,
    verdict: VerdictName = 'integrity',
  ): void {
    const { seq, decision_id: id } = columns;
    this.#findings.fail(verdict, { code, file: RECORDS, seq, id, message });
  }
}

function checkCount(count: number, { decisions }: Manifest, findings: Findings): void {
  if (decisions === null || decisions.count === count) return;
  const message = `${RECORDS} has ${count} records; the manifest says ${decisions.count}.`;
  findings.fail('completeness', { code: 'count_differs', file: RECORDS, message });
}

/** The run begins and ends with decisions of the range, so its ends are among the records. */
function checkEnds(
  records: readonly Record12[],
  { decisions }: Manifest,
  findings: Findings,
): void {
  if (decisions === null) return;
  const [first, last] = [records.at(0) ?? null, records.at(-1) ?? null];
  const isSame =
    first?.seq === decisions.first?.seq &&
    first?.hash === decisions.first?.hash &&
    first?.prevHash === decisions.first?.prevHash &&
    last?.seq === decisions.last?.seq &&
    last?.hash === decisions.last?.hash;
  if (isSame) return;
  const named = `${shown(decisions.first)} and ${shown(decisions.last)}`;
  const message = `The records have the ends ${shown(first)} and ${shown(last)}; the manifest names ${named}.`;
  findings.fail('completeness', { code: 'run_ends', file: RECORDS, message });
}

/** @returns why the records are not proven to be all, or null */
function checkLinks(records: readonly Record12[], findings: Findings): string | null {
  let hole: string | null = null;
  let before: Record12 | undefined;
  for (const record of records) {
    const { seq } = record;
    if (before !== undefined && seq === before.seq) {
      fail(findings, 'record_duplicate', seq, 'The record is there twice.');
    } else if (before !== undefined && seq !== before.seq + 1) {
      hole ??= `The records from seq ${before.seq + 1} to ${seq - 1} are not in the bundle`;
    } else if (before !== undefined && record.prevHash !== before.hash) {
      const message = 'The record does not name the hash of the one before it.';
      fail(findings, 'entry_link', seq, message);
    }
    before = record;
  }
  return hole;
}

function checkTimes(
  records: readonly Record12[],
  { createdAt }: Manifest,
  genesis: Genesis | null,
  findings: Findings,
): void {
  let before = genesis?.createdAt ?? '';
  for (const { seq, createdAt: at } of records) {
    if (at < before) {
      const message = `The record was recorded at ${at}, before the one in front of it, ${before}.`;
      findings.fail('time', { code: 'time_backwards', file: RECORDS, seq, message });
    }
    if (at > createdAt) {
      const message = `The record was recorded at ${at}; the bundle was made at ${createdAt}.`;
      findings.fail('time', { code: 'time_after_export', file: RECORDS, seq, message });
    }
    before = at;
  }
  if (records.length === 0) {
    const message = 'There is no record that says when it was recorded.';
    findings.doubt('time', { code: 'time_unknown', file: RECORDS, message });
  }
}

/** Only the first decision of a chain names the genesis. */
function checkBeginning(
  first: Record12 | undefined,
  genesis: Genesis | null,
  findings: Findings,
): boolean {
  if (genesis === null || first?.seq !== 1) return false;
  if (first.prevHash === genesis.hash) return true;
  const message = `The first decision names ${first.prevHash} as the hash of the genesis, which has ${genesis.hash}.`;
  fail(findings, 'entry_link', 1, message);
  return false;
}

function fail(findings: Findings, code: FindingCode, seq: number, message: string): void {
  findings.fail('integrity', { code, file: RECORDS, seq, message });
}
