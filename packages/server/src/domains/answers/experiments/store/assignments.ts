import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/** Arms of an experiment that the list shows. */
const LISTED_ARMS = 20;

export interface ExperimentRow {
  readonly experiment_id: string;
  readonly decisions: number;
  readonly ignored: number;
  /** ms. */
  readonly first_at: number;
  readonly last_at: number;
  readonly arm_count: number;
  readonly arms: readonly { readonly arm: string; readonly decisions: number }[];
}

/** Experiments by identifier. The recursion skips from one identifier to the next in the index. */
export async function selectExperiments(
  ledger: LedgerReader,
  after: string | null,
  limit: number,
): Promise<ExperimentRow[]> {
  return ledger.query<ExperimentRow>(sql`
    with recursive ids as (
      (select e.experiment_id from experiment_assignments e
        where e.ledger_id = ${ledger.ledgerId} and e.experiment_id > ${after ?? ''}
        order by e.experiment_id limit 1)
      union all
      select (select e.experiment_id from experiment_assignments e
        where e.ledger_id = ${ledger.ledgerId} and e.experiment_id > ids.experiment_id
        order by e.experiment_id limit 1)
      from ids where ids.experiment_id is not null
    ), page as (
      select ids.experiment_id from ids where ids.experiment_id is not null limit ${limit}
    ), grouped as (
      select p.experiment_id, e.arm, e.is_valid, count(*) as decisions,
        min(e."timestamp") as first_at, max(e."timestamp") as last_at
      from page p
      join experiment_assignments e
        on e.ledger_id = ${ledger.ledgerId} and e.experiment_id = p.experiment_id
      group by p.experiment_id, e.arm, e.is_valid
    ), placed as (
      select *, row_number() over (partition by experiment_id, is_valid order by arm) as place
      from grouped
    )
    select experiment_id,
      coalesce(sum(decisions) filter (where is_valid), 0)::bigint as decisions,
      coalesce(sum(decisions) filter (where not is_valid), 0)::bigint as ignored,
      (extract(epoch from min(first_at)) * 1000)::bigint as first_at,
      (extract(epoch from max(last_at)) * 1000)::bigint as last_at,
      count(*) filter (where is_valid) as arm_count,
      coalesce(json_agg(json_build_object('arm', arm, 'decisions', decisions) order by arm)
        filter (where is_valid and place <= ${LISTED_ARMS}), '[]') as arms
    from placed group by experiment_id order by experiment_id`);
}

/** How many marks name no experiment. */
export async function countUnreadable(ledger: LedgerReader): Promise<number> {
  const [row] = await ledger.query<{ unreadable: number }>(sql`
    select count(*) as unreadable from experiment_assignments
    where ledger_id = ${ledger.ledgerId} and experiment_id is null`);
  return row?.unreadable ?? 0;
}

export interface ExperimentSize {
  readonly decisions: number;
  readonly ignored: number;
  readonly matured: number;
  /** Matured decisions without a propensity. */
  readonly unweighted: number;
  /** Position of the last matured decision in the chain; 0 without any. */
  readonly last_seq: number;
}

/** @param maturedUntil ms */
export async function selectSize(
  ledger: LedgerReader,
  experimentId: string,
  maturedUntil: number,
): Promise<ExperimentSize> {
  const [row] = await ledger.query<ExperimentSize>(sql`
    select count(*) filter (where is_valid) as decisions,
      count(*) filter (where not is_valid) as ignored, count(*) filter (where has_matured) as matured,
      count(*) filter (where has_matured and propensity is null) as unweighted,
      coalesce(max(seq) filter (where has_matured), 0) as last_seq
    from (
      select seq, propensity, is_valid, is_valid and "timestamp" <= ${instant(maturedUntil)} as has_matured
      from experiment_assignments
      where ledger_id = ${ledger.ledgerId} and experiment_id = ${experimentId}
    ) marks`);
  return row ?? { decisions: 0, ignored: 0, matured: 0, unweighted: 0, last_seq: 0 };
}

/** Every so many matured decisions the place of one in the chain. */
export async function selectPageBounds(
  ledger: LedgerReader,
  experimentId: string,
  maturedUntil: number,
  page: number,
): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select seq from (
      select seq, row_number() over (order by seq) as place from experiment_assignments
      where ledger_id = ${ledger.ledgerId} and experiment_id = ${experimentId} and is_valid
        and "timestamp" <= ${instant(maturedUntil)}
    ) matured
    where place % ${page} = 0 order by seq`);
  return rows.map(({ seq }) => seq);
}

/** The arms of an experiment by name, whether or not a decision of them has matured. */
export async function selectArms(
  ledger: LedgerReader,
  experimentId: string,
  limit: number,
): Promise<string[]> {
  const rows = await ledger.query<{ arm: string }>(sql`
    select arm from experiment_assignments
    where ledger_id = ${ledger.ledgerId} and experiment_id = ${experimentId} and is_valid
    group by arm order by arm limit ${limit}`);
  return rows.map(({ arm }) => arm);
}
