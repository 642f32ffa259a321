import type { Reconciliation } from '@decision-ledger/contract/chain';
import type { Scope } from '#server/platform/principal';
import type { Client } from '../../support/client.js';
import { decide } from '../../support/estimates.js';
import {
  askFor,
  type Downloaded,
  download,
  type ExportFields,
  fingerprintOf,
  make,
  textOf,
} from '../../support/exports.js';
import { link, recordEvent } from '../../support/money.js';
import { scopeOf, type TestService } from '../../support/service.js';
import { type Forgery, forgeryOf, keepOnly, seal, withhold, withholdMoney } from './forge.js';
import { cutChain, nameCheckpoint, setTime } from './rewrite.js';

const FEBRUARY = { start_date: '2027-02-01', end_date: '2027-02-28' };
const YEAR = { start_date: '2027-01-01', end_date: '2027-12-31' };

/** Bundles by name, and what an auditor has besides. */
export interface Attacks {
  readonly bundles: ReadonlyMap<string, Buffer>;
  readonly fingerprint: string;
  /** The checkpoint of the activity that the auditor kept. */
  readonly kept: string;
}

/** The tables say what the operator wants them to. */
export const NOTHING_FOUND: Reconciliation = {
  ...{ is_reconciled: true, activity_seq: 0, rows_checked: 0 },
  ...{ findings_count: 0, findings: [], unproven: [], skipped: [] },
};

/** Lets a real service make honest bundles, then does what an operator can do with its keys and tables. */
export async function makeAttacks(bed: TestService): Promise<Attacks> {
  const { live } = await bed.organisation();
  await live.patch('/settings', { rate_limits: { exports_per_hour: 1000 } });
  const scope = await scopeOf(bed, live);
  const bundles = new Map<string, Buffer>();
  await bundleOf(bed, live, { start_date: '2020-01-01', end_date: '2020-01-31' });
  const base = await headOf(bed, scope, 'activity');
  await tell(bed, live, scope, 'refund');
  const honest = await bundleOf(bed, live, FEBRUARY);
  bundles.set('honest.zip', honest.archive);
  bundles.set('year.zip', (await bundleOf(bed, live, YEAR)).archive);
  for (const [name, change] of Object.entries(CHANGES)) {
    const forgery = forgeryOf(honest);
    await change(bed, scope, forgery);
    bundles.set(`${name}.zip`, await seal(bed, scope, forgery));
  }
  const kept = textOf(honest, 'activity.checkpoint');
  const fingerprint = await fingerprintOf(live);
  const stranger = (await bed.organisation()).live;
  await decide(stranger);
  bundles.set('c.zip', (await bundleOf(bed, stranger, YEAR)).archive);

  // F: the end of the activity is cut off, with the loss, and other records take its place.
  await cutChain(bed, scope, 'activity', base);
  await nameCheckpoint(bed, scope, textOf(honest, 'decisions.checkpoint'));
  await pad(live);
  bundles.set('f.zip', (await bundleOf(bed, live, FEBRUARY)).archive);
  // E: the same decisions, and an activity chain with another loss.
  await cutChain(bed, scope, 'activity', base);
  await nameCheckpoint(bed, scope, textOf(honest, 'decisions.checkpoint'));
  await recordEvent(live, { ...LOSS, amount: '-1.00' });
  await pad(live);
  bundles.set('e.zip', (await bundleOf(bed, live, FEBRUARY)).archive);
  // D: everything is recorded again, with other contents.
  await cutChain(bed, scope, 'activity', base);
  await cutChain(bed, scope, 'decisions', 0);
  await tell(bed, live, scope, 'deny');
  bundles.set('d.zip', (await bundleOf(bed, live, FEBRUARY)).archive);
  return { bundles, fingerprint, kept };
}

const LOSS = {
  ...{ event_type: 'loss', amount: '-250000.00', currency: 'USD' },
  timestamp: '2027-02-11T00:00:00.000Z',
};

/** What an operator changes in an honest bundle of February, whose decisions have the seqs 4 to 13. */
const CHANGES: {
  readonly [name: string]: (
    bed: TestService,
    scope: Scope,
    forgery: Forgery,
  ) => Promise<void> | void;
} = {
  a: (bed, scope, forgery) => keepOnly(bed, scope, forgery, { first: 6, last: 10 }),
  k: async (bed, scope, forgery) => {
    withholdMoney(forgery);
    await keepOnly(bed, scope, forgery, { first: 1, last: 0 });
  },
  b: (_bed, _scope, forgery) => withholdMoney(forgery),
  'b-times': (_bed, _scope, forgery) => {
    withholdMoney(forgery);
    withhold(forgery, 'when');
  },
  'b-since': (_bed, _scope, forgery) => {
    withholdMoney(forgery);
    forgery.manifest.activity = { ...forgery.manifest.activity, since: 1 };
  },
};

/** Three decisions of January, ten of February with a loss, and three of March. */
async function tell(bed: TestService, client: Client, scope: Scope, action_type: string) {
  for (const [month, count] of [
    ['01', 3],
    ['02', 10],
    ['03', 3],
  ] as const) {
    for (let n = 0; n < count; n += 1) {
      await setTime(
        bed,
        scope,
        `2027-${month}-10T0${Math.floor(n / 6)}:${(n % 6) * 10 || '00'}:00Z`,
      );
      const { decision_id } = await decide(client, { action_type });
      if (month !== '02' || n !== 5) continue;
      const { id } = await recordEvent(client, LOSS);
      await client.post('/links', link(decision_id, id, { link_type: 'loss' }));
    }
  }
  await setTime(bed, scope, '2027-04-16T09:30:00Z');
}

/** Records that are in every activity chain, so that a forged one gets as long as the honest one. */
async function pad(client: Client): Promise<void> {
  for (let n = 0; n < 8; n += 1) {
    await client.post('/keys', { name: `key ${n}`, permissions: ['read'] });
  }
}

async function bundleOf(
  bed: TestService,
  client: Client,
  fields: ExportFields,
): Promise<Downloaded> {
  const { export_id } = await askFor(client, fields);
  await make(bed, client, export_id, { reconcile: () => Promise.resolve(NOTHING_FOUND) });
  return download(bed, client, export_id);
}

async function headOf(
  { service }: TestService,
  { ledgerId }: Scope,
  chain: string,
): Promise<number> {
  const [row] = await service.db.query<{ seq: number }>({
    text: 'select seq from chain_heads where ledger_id = $1 and chain = $2',
    values: [ledgerId, chain],
  });
  return row?.seq ?? 0;
}
