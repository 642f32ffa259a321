import { WithheldPlan } from '@decision-ledger/contract/accounting';
import { LedgerError } from '@decision-ledger/contract/errors';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { Type } from 'typebox';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Actor } from '../../../platform/principal.js';
import { decide, endedAt, type Proposal, type Verdict, type Withheld } from './rules/withhold.js';
import { lockWithheld, upsertWithheld } from './store/connections.js';

const Stored = Type.Object({
  ...WithheldPlan.properties,
  released_by: Type.Union([Type.String(), Type.Null()]),
  marks: Type.String(),
  ended_at: Type.Union([Type.String(), Type.Null()]),
});
const checkStored = checker(Stored, 'withheld');

function read(text: string | null): Withheld | null {
  return text === null ? null : checkStored(parseJson(text));
}

/** What is withheld now, as answers show it. */
export function showWithheld(text: string | null): WithheldPlan | null {
  const withheld = read(text);
  if (withheld === null || withheld.ended_at !== null) return null;
  const { marks: _marks, released_by: _author, ended_at: _end, ...shown } = withheld;
  return shown;
}

/** Decides on the plan of a poll, and stores what is withheld before anything is applied. */
export function decideOn(
  ledger: Ledger,
  connectionId: string,
  proposal: Proposal,
  policy: 'confirm' | 'apply',
): Promise<Verdict> {
  return ledger.write(async (tx) => {
    const before = read(await lockWithheld(tx, connectionId));
    const verdict = decide(before, proposal, policy);
    if (verdict.stored !== before) await store(tx, connectionId, verdict.stored);
    return verdict;
  });
}

/** Stores that a plan was applied. */
export function endWithheld(ledger: Ledger, connectionId: string, now: string): Promise<void> {
  return ledger.write(async (tx) => {
    const before = read(await lockWithheld(tx, connectionId));
    await store(tx, connectionId, endedAt(before, now));
  });
}

function store(tx: LedgerWriter, connectionId: string, withheld: Withheld | null): Promise<void> {
  return upsertWithheld(tx, connectionId, withheld === null ? null : JSON.stringify(withheld));
}

/**
 * Releases a plan: the next poll that finds the same applies it, in the name of who released it.
 * @throws LedgerError `conflict` if something else is withheld, or nothing
 */
export function releasePlan(
  ledger: Ledger,
  { actor }: Actor,
  connectionId: string,
  plan: string,
): Promise<void> {
  return ledger.write(async (tx) => {
    const withheld = read(await lockWithheld(tx, connectionId));
    if (withheld === null || withheld.ended_at !== null || withheld.plan !== plan) {
      throw new LedgerError(
        'conflict',
        'this plan is not withheld: a later poll has found something else. Read what is withheld now',
      );
    }
    await store(tx, connectionId, { ...withheld, released_by: actor, is_released: true });
  });
}
