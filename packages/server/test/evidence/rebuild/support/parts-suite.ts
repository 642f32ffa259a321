import { DecisionPage } from '@decision-ledger/contract/decision';
import type pg from 'pg';
import { expect, it } from 'vitest';
import { PROJECTIONS } from '#server/domains/evidence/rebuild/index';
import {
  compareStrayTiles,
  selectEndOfTiles,
} from '#server/domains/evidence/transparency/store/tiles';
import {
  comparePatterns,
  selectEndOfPatterns,
} from '#server/domains/judgement/attribution/store/agent-patterns';
import { compareCells, selectEndOfHours } from '#server/domains/judgement/liability/store/exposure';
import { compareAllocations } from '#server/domains/judgement/liability/store/link-allocations';
import { selectEndOfEvents } from '#server/domains/record/financial-events/index';
import type { Ledger, LedgerWriter } from '#server/platform/ledger';
import {
  type Projection,
  type ProjectionPart,
  rangesOf,
} from '#server/platform/projections/projection';
import type { Statement } from '#server/platform/statement';
import { type Client, dataOf } from '../../../support/client.js';
import { erase } from '../../../support/erasures.js';
import { rebuilt } from '../../../support/rebuilt.js';

type Parts = (ledger: Ledger, count: number) => AsyncIterable<ProjectionPart>;

/** Ranges of some rows of a source, and how rows of the table are damaged. */
const RANGES: Readonly<Record<string, readonly [parts: Parts, damage: readonly string[]]>> = {
  link_allocations: [
    (ledger, n) => rangesOf((after) => selectEndOfEvents(ledger, after, n), compareAllocations),
    ['amount = amount + 1', 'link_id = gen_random_uuid()'],
  ],
  exposure_cells: [
    (ledger, n) => rangesOf((after) => selectEndOfHours(ledger, after, n), compareCells),
    [
      'decisions = decisions + 1',
      `hour = hour - interval '1 year'`,
      `hour = hour + interval '2 years'`,
    ],
  ],
  agent_patterns: [
    (ledger, n) => rangesOf((after) => selectEndOfPatterns(ledger, after, n), comparePatterns),
    ['confirmed = confirmed + 1', 'day = day - 1', 'day = day + 1', `agent_id = 'zzz'`],
  ],
  tlog_tiles: [
    (ledger, n) => rangesOf((after) => selectEndOfTiles(ledger, after, n), compareStrayTiles),
    ['generation = 7', `chain = 'b'`],
  ],
};

interface Bed {
  readonly own: Ledger;
  readonly owner: pg.Client;
  readonly client: Client;
  damage(...statements: readonly string[]): Promise<void>;
}

/** How projections divide what they compare. */
export function partsSuite(bed: () => Bed): void {
  it.for(Object.entries(RANGES))(
    'Ranges of any size find all that differs in %s',
    async ([table, [parts, changes]]) => {
      const { own, owner, damage } = bed();
      const mine = `ledger_id = '${own.ledgerId}'`;
      await owner.query(`create temp table kept as select * from ${table} where ${mine}`);
      const seen: number[] = [];
      for (const change of changes) {
        await damage(`update ${table} set ${change} where ctid = (select ctid from ${table}
          where ${mine} order by ctid limit 1)`);
        const whole = await foundIn(own, parts(own, 1_000_000));
        expect(whole.parts).toBe(1);
        expect(whole.differences.length, change).toBeGreaterThan(0);
        for (const count of [1, 3]) {
          const found = await foundIn(own, parts(own, count));
          expect(found.rows).toBe(whole.rows);
          expect(found.differences, change).toEqual(whole.differences);
          seen.push(found.parts);
        }
        await damage(
          `delete from ${table} where ${mine}`,
          `insert into ${table} select * from kept`,
        );
      }
      await owner.query('drop table kept');
      expect(Math.max(...seen)).toBeGreaterThan(1);
    },
  );

  it.for([
    ['attribution-state', 'update attribution_states set identified = identified + 1'],
    ['token-frequencies', 'update token_frequencies set decisions = decisions + 1'],
    ['agent-patterns', 'update agent_patterns set confirmed = confirmed + 1'],
  ])('%s compares once under its lock, and reads no log again there', async ([name, change]) => {
    const { own, owner, damage } = bed();
    await damage(`${change} where ledger_id = '${own.ledgerId}'`);
    const { rows } = await owner.query<{ last: string }>(
      'select max(seq)::text as last from event_observations where ledger_id = $1',
      [own.ledgerId],
    );
    const { observed, sent } = observe(own);
    const made = await rebuilt(observed, projectionOf(name));
    expect(made.replaced).toBeGreaterThan(0);
    const about = (text: string) => sent.filter((statement) => statement.text.includes(text));
    expect(about('full join')).toHaveLength(1);
    expect(about('decision_features')).toEqual([]);
    for (const { values } of about('from event_observations')) {
      expect(values.map(String)).toContain(rows[0]?.last);
    }
  });

  it('Counts of tokens are made again without a lock if fields are erased meanwhile', async () => {
    const { own, client, damage } = bed();
    const page = dataOf(await client.get('/decisions?agent_id=agent-1&limit=1'), DecisionPage);
    await damage(
      `update token_frequencies set decisions = decisions + 1 where ledger_id = '${own.ledgerId}'`,
    );
    const { observed, sent } = observe(own);
    let isErased = false;
    const busy: Ledger = {
      ...observed,
      async write(work) {
        if (!isErased) await erase(client, page.decisions[0]?.decision_id ?? '', 'metadata');
        isErased = true;
        return observed.write(work);
      },
    };
    const frequencies = projectionOf('token-frequencies');
    expect((await rebuilt(busy, frequencies)).replaced).toBeGreaterThan(0);
    expect(isErased).toBe(true);
    expect(sent.filter(({ text }) => text.includes('decision_features'))).toEqual([]);
    expect((await rebuilt(own, frequencies)).differences).toEqual([]);
  });
}

/** A ledger of which the statements in transactions that write are seen. */
function observe(ledger: Ledger) {
  const sent: Statement[] = [];
  const seen = (tx: LedgerWriter): LedgerWriter => ({
    ...tx,
    query(statement) {
      sent.push(statement);
      return tx.query(statement);
    },
  });
  const observed: Ledger = { ...ledger, write: (work) => ledger.write((tx) => work(seen(tx))) };
  return { observed, sent };
}

function projectionOf(name: string | undefined): Projection {
  const found = PROJECTIONS.find((projection) => projection.name === name);
  if (found === undefined) throw new Error(`there is no projection ${name}`);
  return found;
}

async function foundIn(ledger: Ledger, parts: AsyncIterable<ProjectionPart>) {
  const found = { parts: 0, rows: 0, differences: [] as string[] };
  for await (const part of parts) {
    const { rows, differences } = await ledger.read((reader) => part.compare(reader));
    found.parts += 1;
    found.rows += rows;
    found.differences.push(...differences.map((difference) => JSON.stringify(difference)));
  }
  found.differences.sort();
  return found;
}
