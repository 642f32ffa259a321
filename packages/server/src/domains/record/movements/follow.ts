import { Big } from 'big.js';
import { lockHead } from '../../../platform/chain/head.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { MOVEMENTS, regroup } from '../financial-events/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { comparingOf, ratesOf, readMetadata } from '../money-signs/index.js';
import { type Compared, changedMovements, compareReports } from './compare.js';
import { foreignSearches } from './foreign.js';
import { recallOpen } from './late.js';
import { ReportReader } from './neighbourhood.js';
import { keepTotals, readOpen } from './period-sums.js';
import { worthKeysOf } from './rules/foreign.js';
import { type Judged, keysOf, recalledKeysOf, reportOf } from './rules/report.js';
import type { Sum } from './rules/settled.js';
import type { RuleName } from './rules/tiers.js';
import { deleteKeys, insertKeys } from './store/money-keys.js';
import { replaceQueued } from './store/reports.js';

/** Reports per transaction. Changes of the ledger's links and events wait for its lock. */
const STEP = 50;

/** Pairs the reports of the same money, and parts those of which that is not certain any more. */
export function movementFollower(hooks: RecordHooks): DueFollower {
  return {
    name: MOVEMENTS,
    kind: 'recorder',
    subjects: 'evt',
    owns: ['added_reports', 'money_keys', 'period_totals', 'same_money'],
    step: STEP,
    advance: async () => ({
      lock: (tx) => lockHead(tx, 'activity'),
      async write(tx, ids) {
        const reader = new ReportReader(tx);
        await keepKeys(tx, ids, reader);
        const tipped = await reader.tippedBy(ids);
        await settleAround(tx, hooks, [...new Set([...ids, ...tipped])], { reader, changed: ids });
        await hooks.causesChanged(tx, ids);
        return ids;
      },
    }),
  };
}

/** Whom the settings call a customer decides what is compared, and not what is found; so do all but the references. */
const UNJUDGED: Omit<Judged, 'carriers'> = {
  ...{ kind: 'other', isOwn: false, sign: 0, worth: null, customerKey: '' },
  ...{ repeats: [], span: { earliest: 0, latest: 0 } },
};

/** Lets reports (UUIDs) be found by others, by the references that the settings let them have, unless they are deleted. */
async function keepKeys(
  tx: LedgerWriter,
  eventIds: readonly string[],
  reader: ReportReader,
): Promise<void> {
  const settings = await reader.readSettings();
  const { attribution, exchange_rates } = settings;
  const rates = exchange_rates.length === 0 ? null : ratesOf(settings);
  const changes = (await reader.readRows(eventIds)).map((row) => {
    const { event_id, source, timestamp, amount, currency } = row;
    const read = { ...row, metadata: readMetadata(row.metadata) };
    const worth = rates?.worth(amount, currency, timestamp) ?? null;
    const worthKeys = worthKeysOf({
      source,
      currency,
      worth: worth === null ? null : Number(worth),
    });
    const keysBy = (carriers: ReadonlySet<string> | null) => {
      const report = reportOf(read, { ...UNJUDGED, carriers });
      return [...keysOf(report).map(({ key }) => key), ...recalledKeysOf(report), ...worthKeys];
    };
    const { references } = comparingOf(attribution, row.source);
    const kept = new Set(row.is_deleted ? [] : keysBy(references));
    const mayBeStored = row.is_deleted || references !== null ? keysBy(null) : [];
    const lost = mayBeStored.filter((key) => !kept.has(key));
    const rowsOf = (keys: readonly string[]) => keys.map((key) => ({ event_id, timestamp, key }));
    return { kept: rowsOf([...kept]), lost: rowsOf(lost) };
  });
  await deleteKeys(
    tx,
    changes.flatMap(({ lost }) => lost),
  );
  await insertKeys(
    tx,
    changes.flatMap(({ kept }) => kept),
  );
}

interface Settling {
  readonly reader?: ReportReader;
  /** The reports, if they may have come, changed or gone since they were compared; none where a person said something. */
  readonly changed?: readonly string[];
}

/** Makes the movements around some reports (UUIDs) what rules and people say. */
export async function settleAround(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventIds: readonly string[],
  { reader = new ReportReader(tx), changed }: Settling = {},
): Promise<void> {
  const compared = await compareReports(tx, eventIds, reader);
  const { lookedAt, doubtful } = compared;
  const movements = changedMovements(compared);
  if (movements.length > 0) {
    await regroup(tx, hooks, movements, {
      actor: 'engine',
      because: (id) => becauseOf(compared, id),
    });
  }
  const moved = movements.flat();
  // What a person says moves reports before they are compared.
  const touched = [...moved, ...(changed ?? lookedAt)];
  const searches = await keepTotals(tx, compared, changed ?? [], touched);
  const recalling = new Set([...eventIds, ...moved]);
  const foreign = await foreignSearches(reader, recalling);
  await recallOpen(tx, compared, recalling, [...searches, ...foreign]);
  const open = await readOpen(tx, compared, lookedAt);
  const doubted = new Set([
    // Of a sum, the whole is asked about.
    ...doubtful.flatMap(({ reports, sum }) => (sum === undefined ? reports : [sum.whole])),
    ...open.map(({ reports: [whole] }) => whole),
  ]);
  await replaceQueued(
    tx,
    [...lookedAt, ...eventIds],
    lookedAt.filter((id) => doubted.has(id)),
  );
}

const BY_REFERENCE: ReadonlySet<RuleName> = new Set(['same_reference', 'sum_by_reference']);

/** The whole, and its parts: ids in one text. */
const sumWords = ({ whole, parts }: Sum): string => {
  const idOf = (id: string) => uuidToId('evt', id);
  return `${idOf(whole)} = ${parts.map(idOf).join(' + ')}`;
};

/** What the record of a report says of why its movement changed. */
function becauseOf({ pairs, reports }: Compared, id: string) {
  const pair = pairs.find((one) => one.reports.includes(id));
  if (pair === undefined) return { by: 'rule' };
  const [one, other] = pair.reports.map((report) => reports.get(report));
  if (one === undefined || other === undefined) return { by: 'rule' };
  const isEqual =
    one.currency === other.currency && new Big(one.amount).abs().eq(new Big(other.amount).abs());
  const shared = [...one.references].find((reference) => other.references.has(reference));
  const compared = {
    ...{ amount: one.amount, currency: one.currency },
    ...(!isEqual && { other_amount: other.amount, other_currency: other.currency }),
    seconds_apart: String(Math.abs(one.timestamp - other.timestamp) / 1000),
    ...(BY_REFERENCE.has(pair.rule) && shared !== undefined && { reference: shared }),
    ...(pair.sum !== undefined && { sum: sumWords(pair.sum) }),
  };
  const partner = one.id === id ? other.id : one.id;
  return { by: 'rule', rule: pair.rule, with: uuidToId('evt', partner), compared };
}
