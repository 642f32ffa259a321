import { type Components, componentsOf, groupsOf } from './components.js';
import type { Report } from './report.js';
import type { Doubtful, Pairing, Settled } from './settled.js';
import { type Addition, additionsOf, type Found } from './sums.js';

interface Judged extends Omit<Found, 'components' | 'doubtful'> {
  readonly reports: readonly Report[];
}

/** Adds the sums of what is in the movements that other rules make. */
export function withSums(settled: Settled, components: Components, judged: Judged): Settled {
  const { pairs, doubtful } = settled;
  // What names different orders is no other possibility for what names one in common.
  const rivals = doubtful.filter(({ doubt }) => doubt !== 'other_references');
  const found = { ...judged, components, doubtful: rivals.map(({ reports }) => reports) };
  const additions = additionsOf(found);
  if (additions.length === 0) return settled;
  const certain = additions.flatMap((one) => (one.doubt === null ? [pairingsOf(one)] : [])).flat();
  const links = [...components, ...certain.map(({ reports }) => reports)];
  const explained = additions.flatMap(({ doubt, whole, parts }) =>
    doubt === null ? [new Set([whole, ...parts])] : [],
  );
  const isOpen = ({ reports, doubt }: Doubtful) =>
    !explained.some((ids) =>
      doubt === 'other_references'
        ? reports.some((id) => ids.has(id))
        : reports.every((id) => ids.has(id)),
    );
  const asked = additions.flatMap((one): Doubtful[] => {
    const { whole, parts, pair, doubt } = one;
    const [first] = parts;
    if (doubt === null || first === undefined) return [];
    if (doubt === 'other_amount' && isAsked(one, doubtful)) return [];
    const sum = { whole, parts, pair };
    return [{ reports: [whole, first], rule: 'sum_by_reference', doubt, sum }];
  });
  return {
    movements: groupsOf(componentsOf(judged.reports, links)),
    pairs: [...pairs, ...certain],
    doubtful: [...doubtful.filter(isOpen), ...asked],
  };
}

/** Whether another rule asks already of the whole and a part. */
const isAsked = ({ whole, parts }: Addition, doubtful: readonly Doubtful[]): boolean =>
  doubtful.some(
    ({ reports }) => reports.includes(whole) && reports.some((id) => parts.includes(id)),
  );

function pairingsOf({ whole, parts, pair }: Addition): Pairing[] {
  const [first = whole, ...others] = pair;
  const sum = { whole, parts, pair };
  return others.map((other) => ({ reports: [first, other], rule: 'sum_by_reference', sum }));
}
