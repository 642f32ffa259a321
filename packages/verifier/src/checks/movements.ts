import { MOVEMENT_TYPES } from '@decision-ledger/proof/activity-types';
import { leadOf } from '@decision-ledger/proof/movement';
import { replayEvent } from '@decision-ledger/proof/replay/events';
import { briefText, type RecordState } from '@decision-ledger/proof/replay/state';
import { type ActivityFacts, type History, unpackAll } from './activity-facts.js';

/** Whether a record says which movement an event belongs to. */
export const isOfMovement = (type: string): boolean => MOVEMENT_TYPES.includes(type);

/** What the chain says of an event up to a place; null if something of it is withheld. */
type Said = RecordState | null;

/** The movements of the disclosed events, as the chain of activity records them up to a place. */
export class Movements {
  /** Of events that another one witnesses, or did. */
  readonly #said = new Map<string, Said>();
  /** Ids by the report that leads. */
  readonly #members = new Map<string, string[]>();

  constructor(activity: ActivityFacts, upTo: number) {
    for (const [id, history] of activity.events) {
      const isMoved = history.changes.some(({ seq, type }) => seq <= upTo && isOfMovement(type));
      if (isMoved) this.#add(id, stateOf(history, upTo));
    }
  }

  #add(id: string, said: Said): void {
    this.#said.set(id, said);
    const lead = textOf(said, 'lead');
    if (lead === null) return;
    const members = this.#members.get(lead);
    if (members === undefined) this.#members.set(lead, [id]);
    else members.push(id);
  }

  /** The reports that lead a movement with a witness, or did. */
  get leads(): IterableIterator<string> {
    return this.#members.keys();
  }

  /** The report that leads the movement of an event. */
  leadOf(id: string): string {
    return textOf(this.#said.get(id) ?? null, 'lead') ?? id;
  }

  membersOf(lead: string): readonly string[] {
    return this.#members.get(lead) ?? [lead];
  }

  /** What is wrong with the movement that an event leads; null if nothing is. */
  problemOf(lead: string): string | null {
    if (this.#said.get(lead) === null) return 'The bundle withholds which movement it belongs to.';
    const members = [...this.membersOf(lead)].sort();
    if (!members.includes(lead)) {
      return `${members.join(', ')} names it as the lead of its movement, and its own activity does not.`;
    }
    if (!this.#said.has(lead)) return null;
    const reports = briefText(members);
    const other = members.find((id) => this.#said.get(id)?.get('reports') !== reports);
    if (other !== undefined) {
      return `The bundle shows ${members.join(', ')} of its movement; the activity of ${other} names other reports.`;
    }
    const states = members.map((id) => [id, this.#said.get(id) ?? null] as const);
    const deleted = states.find(([, said]) => members.length > 1 && rawOf(said, 'deleted_at'));
    if (deleted !== undefined) return `${deleted[0]} is of its movement, although it was deleted.`;
    const due = leadOf(states.map(([id, said]) => witnessOf(id, said))).id;
    return due === lead ? null : `By their sources and times, ${due} leads ${members.join(', ')}.`;
  }
}

function stateOf({ changes }: History, upTo: number): Said {
  const known = changes.filter(({ seq }) => seq <= upTo);
  return known.some(({ isWithheld }) => isWithheld) ? null : replayEvent(unpackAll(known));
}

function witnessOf(id: string, said: Said) {
  return {
    id,
    source: textOf(said, 'source') ?? '',
    external_id: textOf(said, 'external_id'),
    timestamp: Date.parse(textOf(said, 'timestamp') ?? ''),
  };
}

/** A member as brief text; null if it is absent or unknown. */
function rawOf(said: Said, name: string): string | null {
  const value = said?.get(name);
  return typeof value === 'string' && value !== 'null' ? value : null;
}

/** The same, of a text. */
function textOf(said: Said, name: string): string | null {
  const raw = rawOf(said, name);
  return raw?.startsWith('"') === true ? raw.slice(1, -1) : null;
}
