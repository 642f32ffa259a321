import type { ExportFilter } from '@decision-ledger/contract/export';
import type { RandomChoices } from './choices.js';

/** A filter of exports that some of the drawn decisions match. */
export function drawFilter(choices: RandomChoices): ExportFilter {
  const agent_id = choices.choose('a', 'b', 'c');
  const action_type = choices.choose('refund', 'sale', 'answer');
  const human_in_loop = choices.chance(0.5);
  const min_confidence = choices.choose(0.2, 0.6);
  const metadata = { customer_id: `C-${choices.below(4)}` };
  return choices.choose<ExportFilter>(
    ...([{ agent_id }, { action_type }, { human_in_loop }, { min_confidence }] as const),
    ...[{ metadata }, { agent_id, min_confidence }, { action_type, metadata }],
  );
}

/** The same conditions in the query of GET /decisions. */
export function queryOf({ metadata = {}, ...rest }: ExportFilter): string {
  const members = Object.entries(metadata).map(([key, text]) => [`metadata.${key}`, text] as const);
  const query = new URLSearchParams({ limit: '500' });
  for (const [name, value] of [...Object.entries(rest), ...members]) query.set(name, String(value));
  return query.toString();
}
