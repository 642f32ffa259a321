import type { PartContext } from '../context.js';
import { genesisOf } from '../genesis.js';
import type { Part } from './part.js';

/** genesis.json: what the first decision of the chain goes on from, for bundles without entries. */
export function genesisPart({ db, scope }: PartContext): Part {
  return {
    name: 'genesis.json',
    async *pieces(from) {
      if (from !== null) return;
      const genesis = await genesisOf(db, scope, 'decisions');
      yield { text: `${genesis}\n`, next: '', records: 0 };
    },
  };
}
