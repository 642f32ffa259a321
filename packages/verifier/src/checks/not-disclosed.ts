import type { Manifest } from '@decision-ledger/proof/bundle/manifest';
import { type ActivityFacts, type History, unpack } from './activity-facts.js';
import { isInRange } from './entries.js';

/** An event or link that one bundle shows and another one withholds. */
interface Hidden {
  readonly id: string;
  readonly kind: 'an event' | 'a link to an event';
  /** Seq of the activity that made it. */
  readonly made: number;
}

/** A bundle discloses all events of its range and their links: those that another bundle shows besides. */
export function* notDisclosed(
  shown: ActivityFacts,
  own: ActivityFacts,
  manifest: Manifest,
): Generator<Hidden> {
  const liesInRange = (history: History | undefined) => {
    const timestamp = disclosedIn(history, 'timestamp');
    return timestamp !== null && isInRange(manifest, timestamp);
  };
  for (const [id, history] of shown.events) {
    if (!liesInRange(history) || liesInRange(own.events.get(id))) continue;
    yield { id, kind: 'an event', made: madeAt(history) };
  }
  for (const [id, history] of shown.links) {
    const event = disclosedIn(history, 'financial_event_id');
    if (event === null || !liesInRange(own.events.get(event))) continue;
    if (disclosedIn(own.links.get(id), 'financial_event_id') === event) continue;
    yield { id, kind: 'a link to an event', made: madeAt(history) };
  }
}

/** A text in the first change of an event or link; null if it is withheld. */
function disclosedIn(history: History | undefined, name: string): string | null {
  const made = history?.changes[0];
  const value = made === undefined ? undefined : unpack(made).get(name);
  return value === undefined ? null : value.slice(1, -1);
}

function madeAt({ changes: [made] }: History): number {
  return made?.seq ?? 0;
}
