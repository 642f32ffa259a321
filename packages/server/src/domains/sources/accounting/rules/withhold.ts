import type { WithheldPlan } from '@decision-ledger/contract/accounting';
import { sha256Base64url, sha256Hex } from '@decision-ledger/proof/hash';
import type { Brake } from './brake.js';
import type { Plan } from './plan.js';

/** A plan that was withheld, as it is stored. */
export interface Withheld extends WithheldPlan {
  /** The author of the release. */
  readonly released_by: string | null;
  /** What identifies each deletion and change, joined. */
  readonly marks: string;
  /** When a poll no longer made the plan, or had applied it; null while it is withheld. */
  readonly ended_at: string | null;
}

const MARK_CHARS = 10;
const EACH_MARK = new RegExp(`.{${MARK_CHARS}}`, 'g');
const PLAN_CHARS = 32;
/** Deletions and changes that are shown one by one. */
export const SHOWN = 20;

/** What identifies each deletion and change of a plan, whichever poll makes it. */
export function marksOf({ gone, changed }: Pick<Plan, 'gone' | 'changed'>): string[] {
  const texts = [
    ...gone.map(({ key, eventId }) => `gone ${eventId} ${key}`),
    ...changed.map(({ former, record }) => `changed ${former.eventId} ${record.fingerprint}`),
  ];
  return texts.map((text) => sha256Base64url(text).slice(0, MARK_CHARS)).sort();
}

export interface Proposal {
  readonly marks: readonly string[];
  readonly brake: Brake;
  readonly counts: Pick<WithheldPlan, 'deleted' | 'changed' | 'held_back'>;
  readonly items: WithheldPlan['items'];
  /** RFC 3339. */
  readonly now: string;
}

export interface Verdict {
  readonly isWithheld: boolean;
  /** Who released it; null for a setting, or if nothing had to be released. */
  readonly releasedBy: string | null;
  /** To be stored now; `stored` with the time of its end, once the plan was applied. */
  readonly stored: Withheld | null;
}

/**
 * A plan that the brake stops is applied when an earlier poll made it too, and a person or the setting says so. A part of
 * that plan may be applied as well: it is what a poll that was interrupted leaves, or what is still missing.
 * @param before what was stored by the last poll
 */
export function decide(
  before: Withheld | null,
  proposal: Proposal,
  policy: 'confirm' | 'apply',
): Verdict {
  const { marks, brake, now } = proposal;
  const waiting = before !== null && before.ended_at === null ? before : null;
  if (brake.reasons.length === 0) {
    return { isWithheld: false, releasedBy: null, stored: endedAt(before, now) };
  }
  const isSeen = waiting !== null && isPartOf(marks, waiting.marks);
  if (isSeen && (policy === 'apply' || waiting.released_by !== null)) {
    return { isWithheld: false, releasedBy: waiting.released_by, stored: waiting };
  }
  const { reasons, confirmed, months, sums } = brake;
  const stored = {
    plan: sha256Hex(marks.join('')).slice(0, PLAN_CHARS),
    since: isSeen ? waiting.since : now,
    polls: isSeen ? waiting.polls + 1 : 1,
    ...{ reasons: [...reasons], ...proposal.counts, confirmed, months: [...months] },
    ...{ sums: [...sums], items: proposal.items, is_released: false },
    ...{ released_by: null, marks: marks.join(''), ended_at: null },
  };
  return { isWithheld: true, releasedBy: null, stored };
}

/** A plan that no longer waits. */
export function endedAt(withheld: Withheld | null, now: string): Withheld | null {
  if (withheld === null || withheld.ended_at !== null) return withheld;
  return { ...withheld, marks: '', items: [], ended_at: now };
}

function isPartOf(marks: readonly string[], joined: string): boolean {
  const all = new Set(joined.match(EACH_MARK) ?? []);
  return marks.every((mark) => all.has(mark));
}

/** The line among the problems of a poll. */
export function describeWithheld({ deleted, changed, plan, sums }: WithheldPlan): string {
  const money = sums.map(({ currency, before, after }) => `${currency} ${before} to ${after}`);
  return (
    `withheld: ${deleted} deletions and ${changed} changes of recorded events ` +
    `(${money.join(', ')}). If the books are right, release plan ${plan}`
  );
}
