import { encodeBase64 } from '@decision-ledger/proof/tlog/base64';
import { proveConsistency } from '@decision-ledger/proof/tlog/proofs';
import { CompactRange, type TreeNode } from '@decision-ledger/proof/tlog/tree';
import { describe, expect, test } from 'vitest';
import { type Draft, pack } from './support/bundle.js';
import { check, codes, outcomes } from './support/check.js';
import { draftAt, requestExport } from './support/draft.js';
import { editLines, editManifest, editRows, editText } from './support/edit.js';
import { testKey } from './support/keys.js';
import { checkpointOf, originOf, type Round, signRound, startLogs } from './support/logs.js';
import { Story } from './support/story.js';

const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
const MONTH = 28 * 24 * 60;

/** Four decisions of January, five of February, three of March, and a round after them. */
function threeMonths(): { story: Story; round: Round } {
  const story = new Story();
  startLogs(story);
  for (const count of [4, 5, 3]) {
    for (let i = 0; i < count; i++) story.decide();
    story.wait(MONTH);
  }
  return { story, round: signRound(story) };
}

const february = ({ story, round }: ReturnType<typeof threeMonths>) =>
  draftAt(story, round, { range: FEBRUARY });

/** What an auditor keeps who looks at a log. */
const kept = (story: Story, chain: 'decisions' | 'activity', size = story[chain].length) => ({
  checkpoint: checkpointOf(story, chain, size),
});

async function found(draft: Draft, options: Parameters<typeof check>[1] = {}) {
  const report = await check(await pack(draft), options);
  return {
    outcomes: outcomes(report),
    integrity: codes(report, 'integrity'),
    completeness: report.verdicts.completeness.findings.map(({ code }) => code),
    basis: report.verdicts.completeness.basis,
    report,
  };
}

describe('A bundle with transparency logs', () => {
  test('It is consistent alone, and only a checkpoint that was kept proves its range', async () => {
    const all = threeMonths();
    const alone = await found(february(all));
    expect(alone).toMatchObject({
      outcomes: 'pass consistent pass consistent',
      completeness: ['log_unwitnessed'],
      basis: 'key',
    });
    const proven = await found(february(all), kept(all.story, 'activity'));
    expect(proven).toMatchObject({
      outcomes: 'pass pass pass consistent',
      completeness: [],
      basis: 'witnessed',
    });
    expect(proven.report.verdicts.completeness.sentence).toContain('A checkpoint that you kept');
  });

  test('A kept checkpoint of the decisions fixes them and no activity', async () => {
    const all = threeMonths();
    const { completeness, basis, report } = await found(
      february(all),
      kept(all.story, 'decisions'),
    );
    expect({ completeness, basis }).toEqual({
      completeness: ['checkpoint_uncovered'],
      basis: 'key',
    });
    expect(report.verdicts.completeness.findings[0]?.message).toContain('fixes all decisions');
  });

  test('A kept checkpoint that ends inside the run does not fix the rest', async () => {
    const all = threeMonths();
    // The run has the entries from 4 to 10.
    const messageOf = async (size: number) => {
      const { report } = await found(february(all), kept(all.story, 'decisions', size));
      const { verdict, findings } = report.verdicts.completeness;
      expect({ verdict, count: findings.length }).toEqual({ verdict: 'unproven', count: 1 });
      return findings[0]?.message;
    };
    expect(await messageOf(10)).toContain('fixes all decisions of the run');
    for (const size of [4, 9]) {
      expect(await messageOf(size)).toContain(`covers ${size} records; the run needs 10`);
    }
    const early = await found(february(all), kept(all.story, 'activity', 3));
    expect(early.completeness).toEqual(['checkpoint_uncovered']);
  });

  test('A consistency proof connects a kept checkpoint of any other size', async () => {
    const all = threeMonths();
    const { story } = all;
    const draft = february(all);
    story.decide();
    for (let i = 0; i < 3; i++) story.act('key.issued', `key_${i}`, { name: 'x' });
    const cases = [
      ['decisions', 2, 12, 2, 'the run needs 10'],
      ['decisions', 11, 12, 11, 'fixes all decisions of the run'],
      ['decisions', 12, 13, 13, 'fixes all decisions of the run'],
      ['activity', 4, 6, 6, null],
    ] as const;
    for (const [chain, first, second, size, message] of cases) {
      const missing = await found(draft, kept(story, chain, size));
      expect(missing.report.verdicts.completeness.findings).toMatchObject([
        {
          message: expect.stringContaining(`${chain}/consistency?first=${first}&second=${second}`),
        },
      ]);
      const { text, wrong } = await consistency(story, chain, first, second);
      const given = { ...kept(story, chain, size), consistency: text };
      const { report, basis } = await found(draft, given);
      expect(report.verdicts.completeness.findings[0]?.message ?? null).toEqual(
        message === null ? null : expect.stringContaining(message),
      );
      expect(basis).toBe(message === null ? 'witnessed' : 'key');
      for (const bad of [wrong, text.replace(`"second":${second}`, `"second":${second + 1}`)]) {
        expect((await found(draft, { ...given, consistency: bad })).completeness).toEqual([
          'checkpoint_contradicts',
        ]);
      }
    }
  });

  test('A kept checkpoint of another history, of another key or of another log fails', async () => {
    const all = threeMonths();
    const other = threeMonths();
    other.story.decide();
    const rewritten = new Story();
    startLogs(rewritten);
    for (let i = 0; i < 12; i++) rewritten.decide({ inputs: { amount: '0.01' } });
    const draft = () => february(all);
    expect(await found(draft(), kept(rewritten, 'decisions'))).toMatchObject({
      outcomes: 'pass fail pass consistent',
      completeness: ['checkpoint_contradicts'],
    });
    const strange = { checkpoint: checkpointOf(all.story, 'decisions', 12, 9) };
    expect((await found(draft(), strange)).completeness).toEqual(['checkpoint_contradicts']);
    const foreign = new Story({ ledger: 'led_00000000000000000000000002' });
    expect((await found(draft(), kept(foreign, 'decisions'))).completeness).toEqual([
      'checkpoint_other_log',
    ]);
    await expect(found(draft(), { checkpoint: 'no note' })).rejects.toThrow(TypeError);
  });

  test('A range that was not over when the log was signed stays unproven', async () => {
    const story = new Story();
    startLogs(story);
    for (let i = 0; i < 3; i++) story.decide();
    const round = signRound(story);
    const open = await found(draftAt(story, round), kept(story, 'activity'));
    expect(open.completeness).toEqual(['edges_unproven']);
    story.wait(90 * 24 * 60);
    const over = signRound(story);
    expect((await found(draftAt(story, over), kept(story, 'activity'))).completeness).toEqual([]);
  });

  test('An empty range shows the entries around it', async () => {
    const all = threeMonths();
    const range = { start: '2026-02-10T00:00:00.000Z', end: '2026-02-20T00:00:00.000Z' };
    const draft = draftAt(all.story, all.round, { range });
    expect(String(draft.files.get('entries.ndjson')).match(/"seq":\d+/g)).toEqual([
      '"seq":9',
      '"seq":10',
    ]);
    expect((await found(draft, kept(all.story, 'activity'))).outcomes).toBe(
      'pass pass pass consistent',
    );
  });

  test('A ledger without decisions has an empty log', async () => {
    const story = new Story();
    startLogs(story);
    story.wait(90 * 24 * 60);
    const draft = draftAt(story, signRound(story));
    expect((await found(draft, kept(story, 'activity'))).outcomes).toBe(
      'pass pass pass consistent',
    );
  });

  test('Withheld events that were recorded during the export stay unproven whatever was kept', async () => {
    const story = new Story();
    startLogs(story);
    story.decide();
    const request = requestExport(story);
    const event = { source: 's', event_type: 't', currency: 'USD', amount: '1' };
    story.recordEvent({ ...event, timestamp: '2026-01-06T00:00:00.000Z' });
    story.wait(90 * 24 * 60);
    const draft = draftAt(story, signRound(story), { request });
    expect((await found(draft, kept(story, 'activity'))).completeness).toEqual(['data_withheld']);
  });
});

describe('Logs that contradict the bundle', () => {
  const cases: { [about: string]: [change: (draft: Draft, story: Story) => Draft, code: string] } =
    {
      'a checkpoint of another key': [
        (draft, story) =>
          put(draft, 'decisions.checkpoint', checkpointOf(story, 'decisions', 12, 9)),
        'log_signature',
      ],
      'a checkpoint that is none': [
        (draft) => put(draft, 'activity.checkpoint', 'no note'),
        'log_signature',
      ],
      'a range proof of another place': [
        (draft) =>
          editText(draft, 'decisions.range.json', (text) => text.replace('"lo":3', '"lo":2')),
        'log_range',
      ],
      'a range proof with another hash': [
        (draft) =>
          editText(draft, 'decisions.range.json', (text) =>
            text.replace(
              /"left":\["./,
              '"left":["_'.replace('_', text.includes('["A') ? 'B' : 'A'),
            ),
          ),
        'log_range',
      ],
      'an older checkpoint of the decisions': [
        (draft, story) => put(draft, 'decisions.checkpoint', checkpointOf(story, 'decisions', 11)),
        'log_range',
      ],
      'an activity checkpoint before the one that names the decisions': [
        (draft, story) => put(draft, 'activity.checkpoint', checkpointOf(story, 'activity', 3)),
        'log_unnamed',
      ],
      'an activity checkpoint of more entries than there are': [
        (draft, story) => {
          story.act('key.issued', 'key_1', { name: 'x' });
          return put(draft, 'activity.checkpoint', checkpointOf(story, 'activity', 5));
        },
        'log_root',
      ],
      'another end of the chain': [
        (draft) => editManifest(draft, { 'decisions.head.seq': 13 }),
        'head_differs',
      ],
      'a key of a log that the activity does not record': [
        (draft) =>
          editLines(draft, 'activity.ndjson', (lines) =>
            lines.filter((line) => !line.includes('"verifier_key"')),
          ),
        'log_key_unrecorded',
      ],
      'a withheld record of the signing key': [
        (draft) =>
          editLines(draft, 'activity.ndjson', (lines) =>
            lines.filter((line) => !line.includes('"public_key"')),
          ),
        'disclosure_missing',
      ],
    };
  test.each(Object.keys(cases))('A bundle with %s fails', async (about) => {
    const all = threeMonths();
    const [change, code] = cases[about] ?? [];
    if (change === undefined) throw new Error(about);
    const { integrity } = await found(change(february(all), all.story));
    expect(integrity).toContain(code);
  });

  test('A run without an entry from before its range fails', async () => {
    const all = threeMonths();
    const draft = february(all);
    // The range of the manifest begins before the entry that shows its beginning.
    const wider = editManifest(draft, { 'range.start': '2026-01-01T00:00:00.000Z' });
    const { completeness, integrity } = await found(wider);
    expect(completeness).toContain('range_edge');
    // Nobody asked for that range.
    expect(integrity).toEqual(['custody_differs']);
  });

  test('A signer that the activity chain does not record fails authenticity', async () => {
    const all = threeMonths();
    const key = testKey('second');
    const draft = draftAt(all.story, all.round, { range: FEBRUARY, key });
    const report = await check(await pack(draft), { keyFingerprint: key.fingerprint });
    expect(codes(report, 'authenticity')).toEqual(['signer_unrecorded']);
    expect(report.verdicts.authenticity.verdict).toBe('fail');
  });

  test('A decision that is left out of the run cannot be hidden behind the range', async () => {
    const all = threeMonths();
    const draft = february(all);
    // Without the last decision of the range and the entry after it.
    editLines(draft, 'entries.ndjson', (lines) => lines.slice(0, -2));
    editRows(draft, 'decisions.json', (rows) => rows.slice(0, -1));
    const { seq, hash } = all.story.decisions[7] ?? {};
    const cut = editManifest(draft, {
      ...{ 'decisions.count': 4, 'decisions.last': { seq: seq ?? 0, hash: hash ?? '' } },
    });
    const { integrity } = await found(cut);
    expect(integrity).toContain('log_range');
  });
});

function put(draft: Draft, name: string, text: string): Draft {
  return editText(draft, name, () => text);
}

/** As `GET /log/{chain}/consistency` answers, and the same with another hash. */
async function consistency(
  story: Story,
  chain: 'decisions' | 'activity',
  first: number,
  second: number,
): Promise<{ readonly text: string; readonly wrong: string }> {
  const leaves = story[chain].map(({ hash }) => Buffer.from(hash, 'hex'));
  const rootOf = (from: number, to: number) => {
    const range = CompactRange.empty(0);
    for (const leaf of leaves.slice(from, to)) range.append(leaf);
    return range.root();
  };
  const hashOf = ({ level, index }: TreeNode) =>
    rootOf(index * 2 ** level, (index + 1) * 2 ** level);
  const proof = await proveConsistency(first, second, async (nodes) => nodes.map(hashOf));
  const textOf = (hashes: readonly Uint8Array[]) => {
    const data = { origin: originOf(story, chain), first, second, proof: hashes.map(encodeBase64) };
    return JSON.stringify({ data });
  };
  return { text: textOf(proof), wrong: textOf([new Uint8Array(32), ...proof.slice(1)]) };
}
