import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { RECORD_SEPARATOR, statementFrame } from '@decision-ledger/proof/bundle/frame';
import { type ChainName, readChain } from '../../../platform/chain/head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import {
  decisionsOfStatement,
  moneyOfStatement,
  readStatement,
  type StatementOf,
} from '../../answers/analytics/index.js';
import { storeEstimates } from '../../judgement/liability/index.js';
import type { Pin } from './export-run.js';
import { decisionRowLine, moneyLine, statementAbout } from './statement-lines.js';
import { selectExtent } from './store/decisions.js';
import { type DecisionPlace, selectLastOfType, selectPlaces } from './store/statement.js';

/** The file in the work folder that statement.json is copied from. */
export const PINNED = 'statement.pinned';

/**
 * Reads the figures of a statement and their rows in one snapshot of the database, whatever happens to
 * the ledger in the meantime, and writes them to the work folder. The run of decisions covers the range,
 * and earlier decisions with a share of its money.
 */
export const pinStatement: Pin = async (ledger, { version, signal }, row, folder) => {
  const { agent_id, range_start: start, range_end: end } = row;
  if (agent_id === null) throw new Error('a statement names no agent');
  const of = { agentId: agent_id, start, end };
  await storeEstimates(ledger, signal);
  return ledger.read(async (snapshot) => {
    const figures = await readStatement(snapshot, of);
    const chains = {
      decisions: await pointOf(snapshot, 'decisions'),
      activity: await pointOf(snapshot, 'activity'),
    };
    const parameters = {
      settings: await selectLastOfType(snapshot, 'settings.changed'),
      attribution: await selectLastOfType(snapshot, 'attribution.model_changed'),
    };
    const about = { of, ledger: uuidToId('led', ledger.ledgerId), version, chains, parameters };
    const frame = statementFrame(statementAbout(about, figures));
    const file = await open(join(folder, PINNED), 'w', 0o600);
    try {
      await file.appendFile(frame.head);
      const run = await writeRows(file, linesOf(snapshot, of, figures), of, signal);
      await file.appendFile(`\n${frame.tail}\n`);
      await file.datasync();
      const extent = await selectExtent(snapshot, run);
      const { decisions } = figures.exposure.totals;
      return { ...extent, start, end, decisions };
    } finally {
      await file.close();
    }
  });
};

interface Line {
  readonly text: string;
  readonly place: DecisionPlace;
}

async function* linesOf(
  snapshot: LedgerReader,
  of: StatementOf,
  { conversion, known }: Awaited<ReturnType<typeof readStatement>>,
): AsyncGenerator<readonly Line[]> {
  for await (const rows of moneyOfStatement(snapshot, of, conversion)) {
    yield await placed(snapshot, rows, moneyLine);
  }
  for await (const rows of decisionsOfStatement(snapshot, of, known)) {
    yield await placed(snapshot, rows, decisionRowLine);
  }
}

async function placed<Row extends { readonly decision_id: string | null }>(
  snapshot: LedgerReader,
  rows: readonly Row[],
  line: (row: Row, place: DecisionPlace) => string,
): Promise<Line[]> {
  const ids = rows.flatMap(({ decision_id }) => decision_id ?? []);
  const places = await selectPlaces(snapshot, ids);
  return rows.map((row) => {
    const place = places.get(row.decision_id ?? '');
    if (place === undefined) throw new Error('a row of a statement has no decision');
    return { text: line(row, place), place };
  });
}

/** @returns the range of time of all decisions that the rows name, and of the statement */
async function writeRows(
  file: FileHandle,
  pages: AsyncIterable<readonly Line[]>,
  { start, end }: StatementOf,
  signal: AbortSignal,
): Promise<{ readonly start: number; readonly end: number }> {
  const run = { start, end };
  let between = '';
  for await (const page of pages) {
    signal.throwIfAborted();
    for (const { place } of page) {
      run.start = Math.min(run.start, place.timestamp);
      run.end = Math.max(run.end, place.timestamp + 1);
    }
    const text = page.map((line) => `\n${line.text}`).join(RECORD_SEPARATOR);
    await file.appendFile(between + text);
    between = RECORD_SEPARATOR;
  }
  return run;
}

async function pointOf(snapshot: LedgerReader, chain: ChainName) {
  const head = await readChain(snapshot, chain);
  return head === null || head.seq === 0 ? null : { seq: head.seq, hash: head.hash };
}
