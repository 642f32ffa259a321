import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { convert, SETS } from '../../../../../evaluation/traces/convert.js';
import { FINES, put, writeFines, writeTravel, xesCase } from './support/trace-sources.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'traces-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The three files of a set that is made from the folder of the test. */
async function make(set: string, source = folder) {
  const output = join(folder, 'out', set);
  const numbers = await convert(set, source, output);
  const texts = ['decisions', 'events', 'truth'].map((name) =>
    readFileSync(join(output, `${name}.ndjson`), 'utf8'),
  );
  const [decisions = [], events = [], truth = []] = texts.map((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  const refs = new Map(truth.map((row) => [row.external_id, row.decision_ref]));
  const bodies = new Map(decisions.map(({ ref, body }) => [ref, body]));
  const paired = events.map((event) => ({ event, cause: refs.get(event.external_id) }));
  return { numbers, texts, decisions, events, paired, bodies };
}

const SOURCES = { 'travel-domestic': writeTravel, 'traffic-fines': writeFines };
const sourceOf = (set: string) => (set === 'traffic-fines' ? join(folder, 'fines.csv') : folder);

describe('Every data set', () => {
  it.for(Object.entries(SOURCES))(
    'The set %s is complete and the same each time',
    async ([set, prepare]) => {
      prepare(folder, 60);
      const { numbers, texts, decisions, events, paired, bodies } = await make(set, sourceOf(set));
      expect((await make(set, sourceOf(set))).texts).toEqual(texts);
      const caused = paired.filter(({ cause }) => cause !== null);
      expect(numbers).toEqual({
        ...{ set, decisions: decisions.length, events: events.length },
        ...{ caused: caused.length, without_cause: events.length - caused.length },
      });
      expect(Math.min(caused.length, events.length - caused.length)).toBeGreaterThan(0);
      expect(new Set(events.map((event) => event.external_id)).size).toBe(events.length);
      for (const { event, cause } of caused)
        expect(bodies.get(cause).timestamp <= event.timestamp).toBe(true);
      const times = [
        decisions.map(({ body }) => body.timestamp),
        events.map((event) => event.timestamp),
      ];
      for (const list of times) expect(list).toEqual(list.toSorted());
    },
  );
});

describe('The data set of travel', () => {
  it('The last approval causes the payment, unless it is not recorded', async () => {
    writeTravel(folder, 200);
    const { decisions, events, paired } = await make('travel-domestic');
    expect(new Set(events.map(({ amount }) => amount))).toEqual(new Set(['-12.35']));
    const causes = paired.flatMap(({ cause }) => cause ?? []);
    expect(causes.every((ref) => /^st_step-\d+_2$/.test(ref))).toBe(true);
    // A tenth of the cases is left out, and of others only the last approval.
    expect(causes.length).toBeGreaterThan(150);
    expect(causes.length).toBeLessThan(decisions.length / 2);
    const { body } = decisions.find(({ ref }) => ref === causes[0]) ?? {};
    expect(body).toMatchObject({
      ...{ action_type: 'final_approve_declaration', agent_id: 'travel/supervisor', confidence: 1 },
      ...{ inputs: { arguments: { amount: 12.35 } }, timestamp: '2018-03-05T08:00:00.000Z' },
    });
    expect(body.metadata).toMatchObject({ declaration_number: 'number 1 & 2' });
    expect(body.metadata).not.toHaveProperty('budget_number');
  });
});

describe('The data set of fines', () => {
  it('A payment belongs to the demand of its sum, else to the latest', async () => {
    writeFines(folder, 100);
    const { bodies, paired } = await make('traffic-fines', sourceOf('traffic-fines'));
    const pairs = paired.map(
      ({ event, cause }) => `${event.amount} ${bodies.get(cause)?.action_type}`,
    );
    const seen = new Set(pairs.filter((pair) => !pair.endsWith('undefined')));
    expect(seen).toEqual(new Set(['48.50 send_fine', '25.00 add_penalty']));
    const first = bodies.get(
      paired.find(({ cause }) => cause !== null)?.cause.replace('send_fine-2', 'create_fine-1'),
    );
    expect(first).toMatchObject({ agent_id: 'police-officer/56,1', outputs: { amount_due: 35 } });
    expect([...bodies.keys()].some((ref) => ref.startsWith('B'))).toBe(false);
  });
});

describe('A source that is wrong', () => {
  const XES = 'DomesticDeclarations.xes.gz';
  const CASE = xesCase(1, ['id', 'Amount'], '');
  it.for([
    ['travel-domestic', 'no such file', XES, undefined],
    ['travel-domestic', 'cannot be read as .xes.gz', XES, '<log/>'],
    ['travel-domestic', 'is no complete event log', XES, gzipSync('<log></log>')],
    ['travel-domestic', 'is no complete event log in XES', XES, gzipSync(`<log>${CASE}<trace>`)],
    ['travel-domestic', 'a case lacks Amount', XES, gzipSync('<log><trace></trace></log>')],
    ['traffic-fines', 'has no column case_id', 'fines.csv', 'a,b\n1,2\n'],
    [
      'traffic-fines',
      'line 2: a timestamp in seconds',
      'fines.csv',
      `${FINES}\nA1,Payment,,2006-07-01\n`,
    ],
  ] as const)('The set %s is refused: %s', async ([set, reason, name, content]) => {
    SOURCES[set](folder, 1);
    rmSync(join(folder, name));
    if (content !== undefined) put(folder, name, content);
    const output = join(folder, 'out');
    const failed = convert(set, sourceOf(set), output);
    await expect(failed).rejects.toThrow(reason);
    await expect(failed).rejects.toThrow(name);
    await expect(failed).rejects.toThrow(`${set} needs ${SETS[set]?.source}`);
    expect(existsSync(output)).toBe(false);
  });

  it('A source without anything of the period makes no set', async () => {
    put(folder, 'fines.csv', `${FINES}\n`);
    const output = join(folder, 'out');
    await expect(convert('traffic-fines', sourceOf('traffic-fines'), output)).rejects.toThrow(
      'holds no decisions',
    );
    expect(existsSync(output)).toBe(false);
  });

  it('A folder with other files is left as it is', async () => {
    put(folder, 'out/notes.txt', 'mine');
    await expect(convert('traffic-fines', folder, join(folder, 'out'))).rejects.toThrow(
      'notes.txt',
    );
    expect(readdirSync(join(folder, 'out'))).toEqual(['notes.txt']);
  });
});
