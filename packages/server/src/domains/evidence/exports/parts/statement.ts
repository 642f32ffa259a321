import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { RECORD_SEPARATOR } from '@decision-ledger/proof/bundle/frame';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { type IdPrefix, idToUuid, uuidToId } from '../../../../platform/ids.js';
import type { ActivityRecord } from '../../../log/activity/index.js';
import type { ExportRun, VerifiedRun } from '../export-run.js';
import { PINNED } from '../pin-statement.js';
import { differsFromChain } from '../require-reconciled.js';
import { selectEventsOfLinks } from '../store/statement.js';
import type { BundlePart } from './part.js';

const PIECE_CHARS = 1024 * 1024;

/** statement.json: what was pinned when the export started. */
export function statementPart(run: ExportRun): BundlePart {
  return {
    async *pieces(from) {
      let at = Number(from ?? 0);
      let text = '';
      let records = 0;
      for await (const line of linesAt(run, at)) {
        text += `${line}\n`;
        records += 1;
        if (text.length < PIECE_CHARS) continue;
        at += Buffer.byteLength(text);
        yield { text, next: String(at), records };
        [text, records] = ['', 0];
      }
      if (text === '') return;
      yield { text, next: String(at + Buffer.byteLength(text)), records };
    },
  };
}

/**
 * Which entries of the chain of activity are disclosed in a statement: those of its events, and of all
 * links of these events, because the links of an event share its amount.
 * @returns a function that picks subjects among records
 * @throws ReconciliationError from that function, if a link has no row
 */
export function subjectsOfStatement(run: VerifiedRun) {
  let ofRows: Promise<ReadonlySet<string>> | null = null;
  return async (records: readonly ActivityRecord[]): Promise<ReadonlySet<string>> => {
    ofRows ??= readEvents(run);
    const known = await ofRows;
    const found = subjectsOf('evt', records).filter((subject) => known.has(subject));
    const links = subjectsOf('lnk', records);
    const uuids = links.map((subject) => idToUuid('lnk', subject) ?? '');
    const events = await selectEventsOfLinks(run.ledger, uuids);
    for (const [at, subject] of links.entries()) {
      const event = events.get(uuids[at] ?? '');
      if (event === undefined && run.chains.activity.is_valid) {
        throw differsFromChain(`${subject} is recorded, but the table of links lacks it`);
      }
      if (event !== undefined && known.has(uuidToId('evt', event))) found.push(subject);
    }
    return new Set(found);
  };
}

function subjectsOf(prefix: IdPrefix, records: readonly ActivityRecord[]): string[] {
  const all = records.map(({ subject }) => subject);
  return [...new Set(all)].filter((subject) => subject.startsWith(`${prefix}_`));
}

const Row = Type.Object({ financial_event_id: Type.Optional(Type.String()) });

/** The events of the rows. */
async function readEvents(run: ExportRun): Promise<ReadonlySet<string>> {
  const events = new Set<string>();
  for await (const line of linesAt(run, 0)) {
    if (!line.startsWith('{"row":"money"')) continue;
    const json = line.endsWith(RECORD_SEPARATOR) ? line.slice(0, -1) : line;
    const { financial_event_id } = Parse(Row, JSON.parse(json));
    if (financial_event_id !== undefined) events.add(financial_event_id);
  }
  return events;
}

/** @param start in bytes: the beginning of a line */
function linesAt({ folder }: ExportRun, start: number): AsyncIterable<string> {
  const input = createReadStream(join(folder.path, PINNED), { encoding: 'utf8', start });
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}
