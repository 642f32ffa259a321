import type { JsonValue } from '@decision-ledger/proof/gate';
import { isHash, isTimestamp } from '@decision-ledger/proof/shapes';
import type { LineReader } from '../archive/lines.js';
import { reason } from '../archive/open.js';
import type { FindingCode } from '../report/codes.js';
import type { Findings } from '../report/findings.js';
import { checkArticle12 } from './article12.js';
import type { Files } from './files.js';
import type { Manifest } from './manifest.js';
import { type JsonObject, readJson, Shape } from './shape.js';

const RECORDS = 'article12.json';
const COMPLETENESS = 'completeness.json';
const FUTURE_MS = 5 * 60 * 1000;
const SHOWN = 300;

interface Record12 {
  readonly seq: number;
  readonly hash: string;
  readonly prevHash: string;
  readonly createdAt: string | null;
}

/**
 * The records of a compliance bundle name the hash of the one before them: where no seq is missing
 * among them, they are proven to be all there.
 */
export async function checkCompliance(
  files: Files,
  manifest: Manifest,
  findings: Findings,
): Promise<void> {
  const lines = new RecordsOfLines(manifest, findings);
  await files.lines(RECORDS, lines);
  const records = lines.records.sort((a, b) => a.seq - b.seq);
  const statement = (await files.text(COMPLETENESS))?.replaceAll(/\s+/g, ' ').slice(0, SHOWN);
  checkCount(records.length, manifest, findings);
  const hole = checkLinks(records, manifest, findings);
  if (hole !== null) {
    const message = `${hole}. ${COMPLETENESS} states: ${statement ?? 'nothing'}`;
    findings.doubt('completeness', { code: 'records_unlinked', file: RECORDS, message });
  }
  checkTimes(records, manifest, findings);
}

function checkCount(count: number, { decisions }: Manifest, findings: Findings): void {
  if (decisions === null || decisions.count === count) return;
  const message = `${RECORDS} has ${count} records; the manifest says ${decisions.count}.`;
  findings.fail('completeness', { code: 'count_differs', file: RECORDS, message });
}

/** @returns why the records are not proven to be all, or null */
function checkLinks(
  records: readonly Record12[],
  { decisions }: Manifest,
  findings: Findings,
): string | null {
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
  const [first, last] = [records[0], records.at(-1)];
  const sameEnds =
    first?.hash === decisions?.first?.hash &&
    first?.prevHash === decisions?.first?.prevHash &&
    last?.hash === decisions?.last?.hash;
  if (!sameEnds) hole ??= 'The records do not have the ends that the manifest names';
  return hole;
}

function checkTimes(records: readonly Record12[], { createdAt }: Manifest, findings: Findings) {
  let before = '';
  let isUnknown = records.length === 0;
  for (const { seq, createdAt: at } of records) {
    if (at === null) {
      isUnknown = true;
      continue;
    }
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
  if (isUnknown) {
    const message = 'Not every record says when it was recorded.';
    findings.doubt('time', { code: 'time_unknown', file: RECORDS, message });
  }
}

function fail(findings: Findings, code: FindingCode, seq: number, message: string): void {
  findings.fail('integrity', { code, file: RECORDS, seq, message });
}

/** Takes each line that is an object with a place in the chain, in itself or in a member. */
class RecordsOfLines implements LineReader {
  readonly records: Record12[] = [];
  readonly #manifest: Manifest;
  readonly #findings: Findings;

  constructor(manifest: Manifest, findings: Findings) {
    this.#manifest = manifest;
    this.#findings = findings;
  }

  line(text: string): void {
    if (!text.startsWith('{') || !/\},?$/.test(text)) return;
    let value: JsonValue;
    try {
      value = readJson(text.replace(/,$/, ''));
    } catch {
      return;
    }
    if (!isObject(value)) return;
    const record = [value, ...Object.values(value)].filter(isObject).map(placeIn).find(Boolean);
    if (record === undefined || record === null) return;
    const [timestamp, createdAt] = [timeIn(value, 'timestamp'), timeIn(value, 'created_at')];
    this.records.push({ ...record, createdAt });
    if (value.tamper_evidence !== undefined) this.#prove(value, record.seq);
    if (timestamp === null || createdAt === null) return;
    if (Date.parse(timestamp) > Date.parse(createdAt) + FUTURE_MS) {
      const message = `The decision is dated ${timestamp}, and was recorded at ${createdAt}.`;
      const finding = { code: 'time_ahead', file: RECORDS, seq: record.seq, message } as const;
      this.#findings.fail('time', finding);
    }
  }

  /** A record in its own form has all that its hash was made from. */
  #prove(value: JsonObject, seq: number): void {
    try {
      for (const { code, message } of checkArticle12(new Shape(value), this.#manifest)) {
        const verdict = code === 'decision_outside' ? 'completeness' : 'integrity';
        this.#findings.fail(verdict, { code, file: RECORDS, seq, message });
      }
    } catch (error) {
      const message = `The record is not in its form: ${reason(error)}.`;
      fail(this.#findings, 'record_unreadable', seq, message);
    }
  }

  problem(message: string, number: number): void {
    const finding = { code: 'line_unreadable', file: RECORDS } as const;
    this.#findings.fail('integrity', { ...finding, message: `Line ${number} ${message}.` });
  }
}

function placeIn({ seq, hash, prev_hash }: JsonObject): Omit<Record12, 'createdAt'> | null {
  const isPlace =
    typeof seq === 'number' &&
    typeof hash === 'string' &&
    typeof prev_hash === 'string' &&
    isHash(hash) &&
    isHash(prev_hash);
  return isPlace ? { seq, hash, prevHash: prev_hash } : null;
}

/** A time of the record, in itself or in a member. */
function timeIn(record: JsonObject, name: string): string | null {
  for (const value of [record, ...Object.values(record)]) {
    const time = isObject(value) ? value[name] : null;
    if (typeof time === 'string' && isTimestamp(time)) return time;
  }
  return null;
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
