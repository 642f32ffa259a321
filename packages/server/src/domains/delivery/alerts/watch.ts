import { Alert, type AlertNotice } from '@decision-ledger/contract/alert';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import { type Static, Type } from 'typebox';
import type { Database } from '../../../platform/database.js';
import type { Follower } from '../../../platform/followers/follower.js';
import { selectFailing } from '../../../platform/followers/trouble.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Outbound } from '../../../platform/outbound.js';
import type { Installation } from '../../../platform/statement.js';
import { openSettings } from '../../access/settings/index.js';
import { listAttributionDrifts } from '../../judgement/attribution/index.js';
import { listLiabilityDrifts } from '../../judgement/liability/index.js';
import { deliverAlert } from './deliver.js';
import {
  FailedFollowers,
  findFailedFollowers,
  findFailedReconciliation,
  findLaggingFollowers,
  findWithheld,
  ToldPlans,
} from './find-notices.js';
import { nextAlertState, WELL } from './rules/alert-state.js';
import {
  claimAlerts,
  insertAlert,
  insertState,
  lockAlertState,
  selectObservation,
  selectWatchedLedgers,
  updateAlertState,
  updateDelivered,
} from './store/alerts.js';

export interface AlertTools {
  readonly db: Database;
  readonly installation: Installation;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly followers: readonly Follower[];
  /** Called if an alert was not delivered; it will be retried. */
  readonly onUndelivered: (error: unknown) => void;
}

/** Most drifts of a kind reported in one check; the rest follows at the next one. */
const MAX_DRIFTS = 20;

const State = Type.Object({
  backlogTold: Type.Boolean(),
  deadLetters: Type.Integer(),
  deadLettersTold: Type.Integer(),
  driftTold: Type.Optional(Type.Integer()),
  attributionDriftTold: Type.Optional(Type.Integer()),
  reconciliationTold: Type.Optional(Type.Integer()),
  failedFollowers: Type.Optional(FailedFollowers),
  laggingFollowers: Type.Optional(Type.Array(Type.String())),
  withheldTold: Type.Optional(ToldPlans),
});
const checkState = checker(State, 'state');
const checkAlert = checker(Alert, 'alert');

/**
 * Checks the background work of each ledger with alerts, and sends them. Any number of processes may run
 * this concurrently: each alert is made once and delivered at least once.
 */
export async function watchLedgers(tools: AlertTools): Promise<void> {
  for (const scope of await selectWatchedLedgers(tools.installation)) {
    // An error in one ledger must not stop the others.
    await watchLedger(tools.db.ledger(scope), tools).catch(tools.onUndelivered);
  }
}

async function watchLedger(ledger: Ledger, tools: AlertTools): Promise<void> {
  const { alerts } = await openSettings(ledger, tools);
  const { url, secret, backlog_seconds } = alerts;
  if (url === null || secret === null) return;
  await updateAlerts(ledger, tools, backlog_seconds);
  const target = { url, secret };
  for (const { alert_id, payload } of await ledger.write((tx) => claimAlerts(tx))) {
    await deliverAlert(tools.outbound, target, {
      id: alert_id,
      timestamp: ledger.clock.now(),
      payload: checkAlert(parseJson(payload)),
    });
    await ledger.write((tx) => updateDelivered(tx, alert_id));
  }
}

/** Stores the new state and its alerts in one transaction. */
async function updateAlerts(
  ledger: Ledger,
  { followers }: AlertTools,
  backlogSeconds: number,
): Promise<void> {
  await ledger.write(async (tx) => {
    await insertState(tx, JSON.stringify(WELL));
    const text = await lockAlertState(tx);
    if (text === null) return;
    const before: Static<typeof State> = checkState(parseJson(text));
    const moved = await findDrifts(tx, before);
    const jobs = nextAlertState(before, await selectObservation(tx), backlogSeconds);
    const failed = await findFailedReconciliation(tx, before.reconciliationTold);
    const told = failed?.at ?? before.reconciliationTold;
    const following = await findFollowerNews(tx, followers, before, backlogSeconds);
    const withheld = await findWithheld(tx, before.withheldTold ?? {});
    const state = {
      ...jobs.state,
      ...moved.state,
      ...following.state,
      ...(told !== undefined && { reconciliationTold: told }),
      ...(Object.keys(withheld.told).length > 0 && { withheldTold: withheld.told }),
    };
    const differences = failed === null ? [] : [failed.notice];
    for (const notice of [
      ...jobs.notices,
      ...moved.notices,
      ...differences,
      ...following.notices,
      ...withheld.notices,
    ]) {
      const about = {
        mode: ledger.scope.mode,
        ledger: uuidToId('led', ledger.ledgerId),
        time: formatTimestamp(tx.clock.now()),
      };
      await insertAlert(tx, tx.ids.uuid(), JSON.stringify({ ...notice, ...about }));
    }
    if (JSON.stringify(state) !== text) await updateAlertState(tx, JSON.stringify(state));
  });
}

/** What followers could not take, or take too late, with the state that includes it. */
async function findFollowerNews(
  tx: LedgerWriter,
  followers: readonly Follower[],
  before: Static<typeof State>,
  seconds: number,
): Promise<{ readonly state: Partial<Static<typeof State>>; readonly notices: AlertNotice[] }> {
  const failing = await selectFailing(tx, followers);
  const failed = findFailedFollowers(failing, followers, before.failedFollowers ?? {});
  const known = { told: before.laggingFollowers ?? [], failing };
  const limit = { now: tx.clock.now(), seconds };
  const late = await findLaggingFollowers(tx, followers, known, limit);
  return {
    state: { failedFollowers: failed.found, laggingFollowers: [...late.lagging] },
    notices: [...failed.notices, ...late.notices],
  };
}

/** The drifts that were found since the last check, with the state that includes them. */
async function findDrifts(
  tx: LedgerWriter,
  before: Static<typeof State>,
): Promise<{ readonly state: Partial<Static<typeof State>>; readonly notices: AlertNotice[] }> {
  const { driftTold, attributionDriftTold } = before;
  const liability = await listLiabilityDrifts(tx, driftTold ?? 0, MAX_DRIFTS);
  const attribution = await listAttributionDrifts(tx, attributionDriftTold ?? 0, MAX_DRIFTS);
  const last = liability.at(-1)?.found ?? driftTold;
  const lastOther = attribution.at(-1)?.found ?? attributionDriftTold;
  return {
    state: {
      ...(last !== undefined && { driftTold: last }),
      ...(lastOther !== undefined && { attributionDriftTold: lastOther }),
    },
    notices: [...liability, ...attribution].map(({ data }) => ({ type: 'drift.detected', data })),
  };
}
