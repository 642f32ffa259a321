import type { Liability } from '@decision-ledger/contract/liability';
import { uuidToId } from '../../../platform/ids.js';
import { type EvidenceRow, selectEvidence } from '../../decisions/index.js';
import { readLiabilities } from '../../liability/index.js';
import type { PartContext } from '../context.js';
import { decisionLine } from '../rules/decision-line.js';
import { readPosition, writePosition } from '../rules/position.js';
import { arrayPart } from './array-part.js';
import type { Part } from './part.js';

type Item = { readonly row: EvidenceRow; readonly line: string };

/** What is read and written at a time. */
const MOST = { records: 100, bytes: 1024 * 1024 };

/** decisions.json: what was decided in the range, with all that proves it. */
export function decisionsPart({ db, scope, pins }: PartContext): Part {
  return arrayPart<Item>('decisions.json', {
    async page(after) {
      const place = after === null ? null : readPosition(after);
      const rows = await selectEvidence(db, scope, pins, place, MOST);
      const liabilities = await readLiabilities(
        db,
        scope,
        rows.map(({ seq }) => seq),
      );
      return rows.map((row) => ({
        row,
        line: lineOf(row, liabilities.get(row.seq) ?? null),
      }));
    },
    position: ({ row }) => writePosition(row),
    line: ({ line }) => line,
  });
}

function lineOf(row: EvidenceRow, liability: Liability | null): string {
  return decisionLine({ ...row, decision_id: uuidToId('dec', row.decision_id) }, liability);
}
