import { type EvidenceRow, selectEvidence } from '../../decisions/index.js';
import { readLiabilities } from '../../liability/index.js';
import type { PartContext } from '../context.js';
import { decisionLine } from '../rules/decision-line.js';
import { readPosition, writePosition } from '../rules/position.js';
import { arrayPart } from './array-part.js';
import type { Part } from './part.js';

type Item = { readonly row: EvidenceRow; readonly line: string };

const PAGE = 100;

/** decisions.json: what was decided in the range, with all that proves it. */
export function decisionsPart({ db, scope, pins }: PartContext): Part {
  return arrayPart<Item>('decisions.json', {
    async page(after) {
      const rows = await selectEvidence(
        db,
        scope,
        pins,
        after === null ? null : readPosition(after),
        PAGE,
      );
      const liabilities = await readLiabilities(
        db,
        scope,
        rows.map(({ seq }) => seq),
      );
      return rows.map((row) => ({
        row,
        line: decisionLine(row, liabilities.get(row.seq) ?? null),
      }));
    },
    position: ({ row }) => writePosition(row),
    line: ({ line }) => line,
  });
}
