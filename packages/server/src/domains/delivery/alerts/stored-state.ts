import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import type { Ledger, LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { FailedFollowers, ToldPlans } from './find-notices.js';
import { WELL } from './rules/alert-state.js';
import { insertState, lockAlertState, selectAlertState, updateAlertState } from './store/alerts.js';

/** `Measured` of the rules, by the keys of limits. */
const MeasuredLimit = Type.Object({
  definition: Type.String(),
  used: Type.String(),
  isWhole: Type.Boolean(),
  at: Type.Integer(),
  told: Type.Integer(),
});

const StoredState = Type.Object({
  backlogTold: Type.Boolean(),
  deadLetters: Type.Integer(),
  deadLettersTold: Type.Integer(),
  driftTold: Type.Optional(Type.Integer()),
  attributionDriftTold: Type.Optional(Type.Integer()),
  limits: Type.Optional(Type.Record(Type.String(), MeasuredLimit)),
  reconciliationTold: Type.Optional(Type.Integer()),
  failedFollowers: Type.Optional(FailedFollowers),
  laggingFollowers: Type.Optional(Type.Array(Type.String())),
  withheldTold: Type.Optional(ToldPlans),
});
/** What was reported of a ledger. */
export type StoredState = Static<typeof StoredState>;
const checkState = checker(StoredState, 'state');

/** Null before anything was reported of a ledger, or measured. */
export async function readState(ledger: LedgerReader): Promise<StoredState | null> {
  const text = await selectAlertState(ledger);
  return text === null ? null : checkState(parseJson(text));
}

/**
 * Reports what is new, and stores that in the same transaction. While another process does, nothing happens.
 * @param report makes the alerts; returns the new state
 */
export async function changeState(
  ledger: Ledger,
  report: (tx: LedgerWriter, before: StoredState) => Promise<StoredState>,
): Promise<void> {
  await ledger.write(async (tx) => {
    await insertState(tx, JSON.stringify(WELL));
    const text = await lockAlertState(tx);
    if (text === null) return;
    const before: StoredState = checkState(parseJson(text));
    const after = JSON.stringify(await report(tx, before));
    if (after !== text) await updateAlertState(tx, after);
  });
}
