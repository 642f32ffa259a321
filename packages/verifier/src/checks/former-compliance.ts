import { article12Frame } from '@decision-ledger/proof/bundle/frame';
import type { RecordsManifest, RunStart } from '@decision-ledger/proof/bundle/manifest';
import type { Shape } from '@decision-ledger/proof/bundle/shape';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import { readArticle12 } from './article12.js';
import { Article12Records, type Record12 } from './article12-records.js';
import {
  type ContentInput,
  type Contents,
  checkHashAlone,
  type FormerContentCheck,
} from './contents.js';
import { checkErased } from './erased-count.js';
import { checkGenesis, type Genesis } from './genesis.js';
import { describePoint, isSamePoint, isSameStart } from './points.js';
import { RecordLines } from './record-lines.js';
import { Run } from './run.js';
import { checkStatement } from './statement.js';

const RECORDS = 'article12.json';
const COMPLETENESS = 'completeness.json';
/** Maximum characters of completeness.json quoted in a finding. */
const QUOTED = 300;

/**
 * The first format has no chain. Each record has the hash of the previous one, so records without a gap in
 * their seqs are proven to be complete.
 */
export function formerComplianceCheck(
  manifest: RecordsManifest,
  { files, findings }: ContentInput,
): FormerContentCheck<'compliance'> {
  const all = new Article12Records(manifest, findings);
  let genesis: Genesis | null = null;
  let statement = 'nothing';
  let count = 0;
  return {
    steps: {
      'chain_verification.json': () => checkStatement(files, manifest, findings),
      'genesis.json': async () => {
        genesis = await checkGenesis(files, manifest, findings);
      },
      'article12.json': async () => {
        const check = (record: Shape) => all.check(readArticle12(record), genesis?.epoch ?? null);
        const lines = new RecordLines(RECORDS, findings, check, article12Frame(manifest));
        await files.lines(RECORDS, lines);
        lines.end();
        count = lines.count;
      },
      'article12.csv': checkHashAlone,
      'completeness.json': async () => {
        const text = await files.text(COMPLETENESS);
        statement = text?.replaceAll(/\s+/g, ' ').slice(0, QUOTED) ?? statement;
      },
    },
    conclude: () => conclude({ manifest, findings, all, genesis, statement, count }),
  };
}

interface Known {
  readonly manifest: RecordsManifest;
  readonly findings: Findings;
  readonly all: Article12Records;
  readonly genesis: Genesis | null;
  /** The statement of completeness.json. */
  readonly statement: string;
  /** Number of records in the file, including malformed ones. */
  readonly count: number;
}

/** Compares the records with each other, the genesis and the manifest. */
function conclude({ manifest, findings, all, genesis, statement, count }: Known): Contents {
  const records = all.bySeq();
  checkCount(count, manifest, findings);
  const counted = { erased: all.erased, records: records.length, others: Number.POSITIVE_INFINITY };
  checkErased(counted, manifest, { findings, file: RECORDS });
  checkEnds(records, manifest, findings);
  const hole = checkLinks(records, findings);
  if (hole !== null) {
    const message = `${hole}. ${COMPLETENESS} states: ${statement}`;
    findings.doubt('completeness', { code: 'records_unlinked', file: RECORDS, message });
  }
  checkTimes(records, manifest, genesis, findings);
  const run = new Run();
  for (const record of records) run.add(record, true);
  const isModeProven = checkBeginning(records[0], genesis, findings);
  const chains = { activity: null, recorded: null, log: null, chosen: null };
  return { run, genesisHash: genesis?.hash ?? null, ...chains, isModeProven };
}

function checkCount(count: number, { decisions }: RecordsManifest, findings: Findings): void {
  if (decisions.count === count) return;
  const message = `${RECORDS} has ${count} records; the manifest says ${decisions.count}.`;
  findings.fail('completeness', { code: 'count_differs', file: RECORDS, message });
}

/** The run begins and ends with decisions of the range, so its ends are among the records. */
function checkEnds(
  records: readonly RunStart[],
  { decisions }: RecordsManifest,
  findings: Findings,
): void {
  const [first, last] = [records.at(0) ?? null, records.at(-1) ?? null];
  if (isSameStart(first, decisions.first) && isSamePoint(last, decisions.last)) return;
  const named = `${describePoint(decisions.first)} and ${describePoint(decisions.last)}`;
  const message = `The records have the ends ${describePoint(first)} and ${describePoint(last)}; the manifest names ${named}.`;
  findings.fail('completeness', { code: 'run_ends', file: RECORDS, message });
}

/** @returns the reason why the records are not proven to be complete, or null */
function checkLinks(records: readonly RunStart[], findings: Findings): string | null {
  let hole: string | null = null;
  let before: RunStart | undefined;
  for (const record of records) {
    const { seq } = record;
    if (before !== undefined && seq === before.seq) {
      fail(findings, 'record_duplicate', seq, 'The record appears twice.');
    } else if (before !== undefined && seq !== before.seq + 1) {
      hole ??= `The records from seq ${before.seq + 1} to ${seq - 1} are not in the bundle`;
    } else if (before !== undefined && record.prev_hash !== before.hash) {
      const message = 'The record does not name the hash of the previous one.';
      fail(findings, 'entry_link', seq, message);
    }
    before = record;
  }
  return hole;
}

function checkTimes(
  records: readonly Record12[],
  { created_at: bundleAt }: RecordsManifest,
  genesis: Genesis | null,
  findings: Findings,
): void {
  let before = genesis?.createdAt ?? '';
  for (const { seq, created_at: at } of records) {
    if (at < before) {
      const message = `The record was recorded at ${at}, before the previous one, ${before}.`;
      findings.fail('time', { code: 'time_backwards', file: RECORDS, seq, message });
    }
    if (at > bundleAt) {
      const message = `The record was recorded at ${at}; the bundle was made at ${bundleAt}.`;
      findings.fail('time', { code: 'time_after_export', file: RECORDS, seq, message });
    }
    before = at;
  }
  if (records.length === 0) {
    const message = 'No record states when it was recorded.';
    findings.doubt('time', { code: 'time_unknown', file: RECORDS, message });
  }
}

/** Only the first decision of a chain has the hash of the genesis. */
function checkBeginning(
  first: RunStart | undefined,
  genesis: Genesis | null,
  findings: Findings,
): boolean {
  if (genesis === null || first?.seq !== 1) return false;
  if (first.prev_hash === genesis.hash) return true;
  const message = `The first decision names ${first.prev_hash} as the hash of the genesis, which has ${genesis.hash}.`;
  fail(findings, 'entry_link', 1, message);
  return false;
}

function fail(findings: Findings, code: FindingCode, seq: number, message: string): void {
  findings.fail('integrity', { code, file: RECORDS, seq, message });
}
