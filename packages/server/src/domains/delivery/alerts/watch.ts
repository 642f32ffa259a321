import { Alert, type AlertNotice } from '@decision-ledger/contract/alert';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { Database } from '../../../platform/database.js';
import type { Follower } from '../../../platform/followers/follower.js';
import { selectFailing } from '../../../platform/followers/trouble.js';
import type { Keyring } from '../../../platform/keyring/keyring.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import type { Outbound } from '../../../platform/outbound.js';
import type { Installation } from '../../../platform/statement.js';
import { openSettings } from '../../access/settings/index.js';
import { listAttributionDrifts } from '../../judgement/attribution/index.js';
import { listLiabilityDrifts } from '../../judgement/liability/index.js';
import { deliverAlert } from './deliver.js';
import {
  findFailedFollowers,
  findFailedReconciliation,
  findLaggingFollowers,
  findWithheld,
} from './find-notices.js';
import { makeAlert } from './make-alert.js';
import { nextAlertState } from './rules/alert-state.js';
import {
  claimAlerts,
  selectObservation,
  selectWatchedLedgers,
  updateDelivered,
} from './store/alerts.js';
import { changeState, type StoredState } from './stored-state.js';
import { watchLimits } from './watch-limits.js';

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

const checkAlert = checker(Alert, 'alert');

/**
 * Checks the background work of each ledger with alerts, and what the settings of each limit, and sends
 * alerts. Any number of processes may run this concurrently: each alert is made once and delivered at least once.
 */
export async function watchLedgers(tools: AlertTools): Promise<void> {
  for (const scope of await selectWatchedLedgers(tools.installation)) {
    // An error in one ledger must not stop the others.
    await watchLedger(tools.db.ledger(scope), tools).catch(tools.onUndelivered);
  }
}

async function watchLedger(ledger: Ledger, tools: AlertTools): Promise<void> {
  const settings = await openSettings(ledger, tools);
  await watchLimits(ledger, settings);
  const { url, secret, backlog_seconds } = settings.alerts;
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

async function updateAlerts(
  ledger: Ledger,
  { followers }: AlertTools,
  backlogSeconds: number,
): Promise<void> {
  await changeState(ledger, async (tx, before) => {
    const moved = await findDrifts(tx, before);
    const jobs = nextAlertState(before, await selectObservation(tx), backlogSeconds);
    const failed = await findFailedReconciliation(tx, before.reconciliationTold);
    const told = failed?.at ?? before.reconciliationTold;
    const following = await findFollowerNews(tx, followers, before, backlogSeconds);
    const withheld = await findWithheld(tx, before.withheldTold ?? {});
    const differences = failed === null ? [] : [failed.notice];
    for (const notice of [
      ...jobs.notices,
      ...moved.notices,
      ...differences,
      ...following.notices,
      ...withheld.notices,
    ]) {
      await makeAlert(tx, notice);
    }
    const { limits } = before;
    return {
      ...jobs.state,
      ...moved.state,
      ...following.state,
      ...(limits !== undefined && { limits }),
      ...(told !== undefined && { reconciliationTold: told }),
      ...(Object.keys(withheld.told).length > 0 && { withheldTold: withheld.told }),
    };
  });
}

/** What followers could not take, or take too late, with the state that includes it. */
async function findFollowerNews(
  tx: LedgerWriter,
  followers: readonly Follower[],
  before: StoredState,
  seconds: number,
): Promise<{ readonly state: Partial<StoredState>; readonly notices: AlertNotice[] }> {
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
  before: StoredState,
): Promise<{ readonly state: Partial<StoredState>; readonly notices: AlertNotice[] }> {
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
