import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { allCodes, check, codes, outcomes } from './support/check.js';
import { draftOf } from './support/draft.js';
import { editManifest, editText } from './support/edit.js';
import { fullStory, shortStory } from './support/samples.js';
import { Story } from './support/story.js';

const COMPLIANCE = { exportType: 'compliance' } as const;
const RECORDS = 'article12.json';
const PASSED = 'pass consistent pass consistent';

/** A compliance bundle with two decisions. */
const honest = () => draftOf(shortStory(), COMPLIANCE);

function edited(change: (text: string) => string, draft: Draft = honest()): Draft {
  return editText(draft, RECORDS, change);
}

/** Changes the lines between the head and the tail. */
function withLines(change: (lines: string[]) => string[]): Draft {
  return edited((text) => {
    const lines = text.split('\n');
    return [lines[0], ...change(lines.slice(1, -2)), ...lines.slice(-2)].join('\n');
  });
}

function withRecord(change: (record: Map<string, JsonValue>) => void): Draft {
  return withLines(([first = '', ...rest]) => {
    const record = new Map<string, JsonValue>(Object.entries(JSON.parse(first.slice(0, -1))));
    change(record);
    return [`${JSON.stringify(Object.fromEntries(record))},`, ...rest];
  });
}

async function integrityOf(draft: Draft): Promise<string[]> {
  const report = await check(await pack(draft));
  expect(report.verdicts.integrity.verdict).toBe('fail');
  return codes(report, 'integrity');
}

/** One decision with this metadata, and with this change to the use in its record. */
function withUse(metadata: { [name: string]: JsonValue }, told: (text: string) => string): Draft {
  const story = new Story();
  story.act('key.issued', 'key_1', { name: 'x' });
  story.decide({ metadata });
  return edited(told, draftOf(story, COMPLIANCE));
}

describe('Compliance records', () => {
  test('A record is proven only by its own evidence', async () => {
    const bare = withRecord((record) => {
      record.set('outputs', { approved: false });
      const { seq, hash, prev_hash } = Object(record.get('tamper_evidence'));
      record.delete('tamper_evidence');
      for (const [name, value] of Object.entries({ seq, hash, prev_hash })) record.set(name, value);
    });
    expect(await integrityOf(bare)).toContain('record_unreadable');
    const elsewhere = withRecord((record) => {
      record.set('proof', record.get('tamper_evidence') ?? null);
    });
    expect(await integrityOf(elsewhere)).toEqual(['record_unreadable']);
  });

  test.each([
    ['at the top', '"verifier":{', '"verdict":"guilty","verifier":{'],
    ['in the verifier', '"verifiers":null', '"verifiers":null,"name":"Dr. Invented"'],
    ['in the period of use', '"end":null', '"end":null,"place":"x"'],
    ['in the search', '"matched_input":null', '"matched_input":null,"match":1'],
    ['in the evidence', '"epoch":1', '"epoch":1,"witness":"x"'],
    ['in the salts', '"salts":{', '"salts":{"verdict":"x",'],
    ['in the commitments', '"commitments":{', '"commitments":{"verdict":"x",'],
  ])('A record with an unproven member %s is refused', async (_where, from, to) => {
    const draft = edited((text) => {
      const [head = '', ...rest] = text.split('\n');
      return [head, rest.join('\n').replace(from, to)].join('\n');
    });
    expect(await integrityOf(draft)).toEqual(['record_unreadable']);
  });

  test.each([
    ['a record after a space', (line: string) => ` ${line}`, 'decision_hash'],
    [
      'a record with a repeated key',
      (line: string) => line.replace('{', '{"agent_id":"x",'),
      'record_unreadable',
    ],
    ['not JSON', () => 'x,', 'record_unreadable'],
    ['empty', () => '', 'record_unreadable'],
  ])('An inserted line that is %s is found', async (_how, written, code) => {
    const draft = withLines(([first = '', ...rest]) => {
      const invented = first
        .replace(/"decision_id":"[^"]*"/, '"decision_id":"dec_forged"')
        .replace('"seq":1', '"seq":99');
      return [first, written(invented), ...rest];
    });
    expect(await integrityOf(draft)).toContain(code);
  });

  test('Records out of order are found', async () => {
    const swapped = withLines(([first = '', second = '']) => [`${second},`, first.slice(0, -1)]);
    expect(await integrityOf(swapped)).toEqual(['record_order']);
  });

  test('A record of another epoch is found', async () => {
    const draft = edited((text) => text.replace('"epoch":1', '"epoch":2'));
    expect(await integrityOf(draft)).toContain('entry_foreign');
  });

  test('A hidden value declared unreadable is found', async () => {
    const draft = withRecord((record) => {
      record.set('outputs', null);
      record.set('unreadable_fields', ['outputs']);
    });
    expect(await integrityOf(draft)).toContain('commitment_differs');
  });

  test('A wrong list of erased fields is found', async () => {
    for (const erased of ['["inputs"]', '["alternatives"]']) {
      const draft = edited((text) =>
        text.replace('"erased_fields":[]', `"erased_fields":${erased}`),
      );
      expect(await integrityOf(draft)).toEqual(['erasure_listed']);
    }
  });
});

describe('Compliance file', () => {
  test('A file that shows other records to a JSON parser is found', async () => {
    const draft = edited((text) =>
      text.replace('"records":[\n', '"records":[{"decision_id":"dec_forged"}],"x":[\n'),
    );
    const parsed = JSON.parse(String(draft.files.get(RECORDS)));
    expect(parsed.records).toEqual([{ decision_id: 'dec_forged' }]);
    expect(await integrityOf(draft)).toEqual(['array_form']);
  });

  test.each([
    ['another ledger', '"ledger":"led_0', '"ledger":"led_9'],
    ['another range', '"start":"2026-01-01', '"start":"2025-01-01'],
    ['another description', 'Records of automated', 'Approved records of automated'],
    ['another format', 'article12/v1', 'article12/v2'],
    ['more members', '"records":[', '"approved":true,"records":['],
    ['no comma between records', '},\n{', '}\n{'],
    ['a comma after the last record', '}\n]}', '},\n]}'],
    ['more after the records', ']}\n', '],"x":[]}\n'],
    ['more after its end', ']}\n', ']}\n{}\n'],
    ['no end', '\n]}\n', '\n'],
  ])('A compliance file with %s is refused', async (_what, from, to) => {
    expect(await integrityOf(edited((text) => text.replace(from, to)))).toContain('array_form');
  });

  test('A range without decisions gives a valid file', async () => {
    const range = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
    const report = await check(await pack(draftOf(shortStory(), { ...COMPLIANCE, range })));
    expect(outcomes(report)).toBe(PASSED);
  });
});

describe('Manifest counts', () => {
  test('A wrong number of erased fields in the manifest is found', async () => {
    const draft = editManifest(honest(), { 'decisions.erased_fields': 1 });
    expect(await integrityOf(draft)).toEqual(['count_differs']);
  });

  test('The manifest may count erased fields of decisions of the run outside the range, and never fewer than the records have', async () => {
    const story = fullStory();
    for (const at of [0, 1]) story.erase(story.decisions[at]?.row ?? {}, ['inputs']);
    const draft = draftOf(story, COMPLIANCE);
    const more = await check(await pack(editManifest(draft, { 'decisions.erased_fields': 2 })));
    expect(outcomes(more)).toBe(PASSED);
    const fewer = editManifest(draft, { 'decisions.erased_fields': 0 });
    expect(await integrityOf(fewer)).toEqual(['count_differs']);
  });

  test('A wrong end of the run in the manifest is found', async () => {
    const draft = editManifest(honest(), { 'decisions.last.seq': 3 });
    expect(codes(await check(await pack(draft)), 'completeness')).toContain('run_ends');
  });
});

describe('Use in a record', () => {
  const FULL = {
    use_start: '2026-01-05T08:00:00Z',
    use_end: '2026-01-05T08:05:00.5+02:00',
    reference_database: 'watch list 7',
    matched_input: { frame: 12 },
    verifiers: ['Anna', ' ', null, { name: 'Ben' }],
    reviewer_id: 'rev-7',
  };
  const told = (text: string) =>
    text
      .replace(
        '{"start":null,"end":null}',
        '{"start":"2026-01-05T08:00:00Z","end":"2026-01-05T08:05:00.5+02:00"}',
      )
      .replace(
        '"reviewer_id":null,"verifiers":null',
        '"reviewer_id":"rev-7","verifiers":["Anna",{"name":"Ben"}]',
      )
      .replace(
        '"reference_database":null,"matched_input":null',
        '"reference_database":"watch list 7","matched_input":{"frame":12}',
      );

  test('The use in a record is what its metadata says', async () => {
    expect(outcomes(await check(await pack(withUse(FULL, told))))).toBe(PASSED);
    const alone = withUse({ reviewer_id: 'rev-7', verifiers: [] }, (text) =>
      text.replace(
        '"reviewer_id":null,"verifiers":null',
        '"reviewer_id":"rev-7","verifiers":["rev-7"]',
      ),
    );
    expect(outcomes(await check(await pack(alone)))).toBe(PASSED);
  });

  test.each([
    ['"rev-7"', '"rev-8"'],
    ['["Anna",{"name":"Ben"}]', '["Anna"]'],
    ['["Anna",{"name":"Ben"}]', 'null'],
    ['"watch list 7","matched', '"watch list 8","matched'],
    ['"matched_input":{"frame":12}}', '"matched_input":{"frame":13}}'],
    ['"start":"2026-01-05T08:00:00Z"', '"start":"2026-01-05T08:00:00.000Z"'],
    ['"end":"2026-01-05T08:05:00.5+02:00"', '"end":null'],
  ])('A use changed from %s to %s is found', async (from, to) => {
    const draft = withUse(FULL, (text) => {
      const good = told(text);
      expect(good).toContain(from);
      return good.replace(from, to);
    });
    expect(await integrityOf(draft)).toEqual(['use_differs']);
  });

  test('An added use is found, and no use remains if the metadata was erased', async () => {
    const added = edited((text) =>
      text.replace('"verifiers":null', '"verifiers":["Dr. Invented"]'),
    );
    expect(await integrityOf(added)).toEqual(['use_differs']);
    const story = shortStory();
    story.erase(story.decisions[0]?.row ?? {}, ['metadata']);
    const erased = draftOf(story, COMPLIANCE);
    expect(outcomes(await check(await pack(erased)))).toBe(PASSED);
    const kept = edited(
      (text) => text.replace('"reviewer_id":null', '"reviewer_id":"rev-7"'),
      erased,
    );
    expect(await integrityOf(kept)).toEqual(['use_differs']);
  });
});

describe('Mode of compliance records', () => {
  const ofTest = () => draftOf(shortStory({ mode: 'test' }), COMPLIANCE);
  const asLive = (draft: Draft) =>
    editText(draft, 'entries.ndjson', (text) => text.replace('"mode":"test"', '"mode":"live"'));

  test('The mode is proven by the genesis of both chains', async () => {
    const report = await check(await pack(ofTest()));
    expect(outcomes(report)).toBe(PASSED);
    expect(report.verdicts.integrity.sentence).toMatch(/^TEST DATA: /);
    const told = editManifest(ofTest(), { mode: 'live' });
    expect(new Set(await integrityOf(told))).toEqual(new Set(['genesis_wrong', 'log_signature']));
    expect(await integrityOf(asLive(told))).toContain('entry_link');
  });

  test('The ledger and organisation of the genesis must match the manifest', async () => {
    for (const name of ['organisation', 'ledger']) {
      const draft = editManifest(honest(), { [name]: 'other_1' });
      expect(allCodes(await check(await pack(draft)))).toContain('genesis_wrong');
    }
  });

  test('The genesis must be older than the records', async () => {
    const draft = editText(honest(), 'entries.ndjson', (text) =>
      text.replace('"created_at":"2026-', '"created_at":"2027-'),
    );
    expect(allCodes(await check(await pack(draft)))).toContain('time_backwards');
  });
});
