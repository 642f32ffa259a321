import { selectEntries } from '../../decisions/index.js';
import type { PartContext } from '../context.js';
import { genesisOf } from '../genesis.js';
import type { Part } from './part.js';

const PAGE = 200;

/** entries.ndjson: the genesis of the chain of decisions, then the entries of the run. */
export function entriesPart({ db, scope, pins }: PartContext): Part {
  return {
    name: 'entries.ndjson',
    async *pieces(from) {
      if (from === null) {
        const genesis = await genesisOf(db, scope, 'decisions');
        yield { text: `${genesis}\n`, next: String(pins.firstSeq - 1), records: 0 };
      }
      let after = from === null ? pins.firstSeq - 1 : Number(from);
      while (after < pins.lastSeq) {
        const span = { first: after + 1, last: pins.lastSeq, limit: PAGE };
        const rows = await selectEntries(db, scope, span);
        const last = rows.at(-1);
        if (last === undefined) break;
        after = last.seq;
        const text = rows.map(({ entry }) => `${entry}\n`).join('');
        yield { text, next: String(after), records: rows.length };
      }
    },
  };
}
