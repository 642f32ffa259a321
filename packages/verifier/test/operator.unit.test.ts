import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import { beforeAll, describe, expect, test } from 'vitest';
import { draftAt } from './support/draft.js';
import { editManifest } from './support/edit.js';
import { checkpointOf, originOf, signRound, startLogs } from './support/logs.js';
import { LOG_ATTACKS } from './support/operator-logs.js';
import { RECORD_ATTACKS } from './support/operator-records.js';
import { type Row, Story } from './support/story.js';
import { FEBRUARY, february, judge, threeMonths } from './support/three-months.js';

let honest: ReturnType<typeof threeMonths>;
let kept: string;

beforeAll(() => {
  honest = threeMonths();
  kept = checkpointOf(honest.story, 'activity', honest.story.activity.length);
});

describe('What an operator with all keys signs', () => {
  test('The honest bundle passes with the kept checkpoint', async () => {
    expect(await judge(february(honest), kept)).toEqual({ verdicts: 'pass pass', codes: [] });
  });

  test.each([...RECORD_ATTACKS, ...LOG_ATTACKS])(
    'It is no proof if %s: %s',
    async (_about, expected, change) => {
      const { verdicts, codes: found } = await judge(change(february(honest)), kept);
      const [integrity, completeness, code] = expected.split(' ');
      expect(verdicts).toBe(`${integrity} ${completeness}`);
      expect(found).toContain(code);
    },
  );
});

describe('A state that the operator chooses', () => {
  test('A link cannot be shown as it was before it was deleted', async () => {
    const { story, round: before } = threeMonths();
    const [id = ''] = [...story.links].filter(([, row]) => inFebruary(row)).map(([key]) => key);
    const made = { ...story.links.get(id) };
    story.deleteLink(id);
    const deleted = story.activity.length;
    const round = signRound(story);
    expect(round.activity).toBeGreaterThan(before.activity);
    const after = checkpointOf(story, 'activity', round.activity);
    const honestly = draftAt(story, round, { range: FEBRUARY });
    expect(await judge(honestly, after)).toEqual({ verdicts: 'pass pass', codes: [] });
    story.links.set(id, made);
    const draft = editManifest(draftAt(story, round, { range: FEBRUARY }), {
      'activity.since': deleted - 1,
    });
    expect(await judge(draft, after)).toMatchObject({
      ...{ verdicts: expect.stringMatching(/^fail /), codes: ['custody_differs'] },
    });
  });
});

const inFebruary = ({ created_at }: Row) =>
  FEBRUARY.start <= String(created_at) && String(created_at) < FEBRUARY.end;

describe('One activity chain that names two histories', () => {
  /** The same ledger with a decision of February left out of its decisions, but not of its activity. */
  function twoHistories() {
    const { story, round: first } = threeMonths();
    const told = [...story.decisions];
    const seen = checkpointOf(story, 'decisions', told.length);
    story.decisions.splice(6);
    for (let n = 0; n < 6; n++) story.decide();
    return { story, told, seen, first, second: signRound(story) };
  }

  test('The checkpoint of the activity fixes the history that it names last', async () => {
    const { story, told, seen, first, second } = twoHistories();
    const after = checkpointOf(story, 'activity', second.activity);
    const other = draftAt(story, second, { range: FEBRUARY });
    expect(await judge(other, after)).toEqual({ verdicts: 'pass pass', codes: [] });
    expect(await judge(other, seen)).toEqual({
      ...{ verdicts: 'pass fail', codes: ['checkpoint_contradicts'] },
    });
    story.decisions.splice(0, 12, ...told);
    const before = draftAt(story, { ...first, activity: second.activity }, { range: FEBRUARY });
    expect(await judge(before, after)).toMatchObject({
      ...{
        verdicts: expect.stringMatching(/^fail /),
        codes: expect.arrayContaining(['log_outdated']),
      },
    });
  });

  test('A second log of the decisions under another key or name is a contradiction', async () => {
    for (const origin of [
      originOf(honest.story, 'decisions'),
      originOf(honest.story, 'decisions').replace('decision-ledger/', 'another.example/'),
    ]) {
      const story = new Story();
      startLogs(story);
      const verifier_key = verifierKeyText(verifierKey(origin, new Uint8Array(32).fill(9)));
      story.act('log.started', origin, { origin, verifier_key }, 'engine');
      for (let n = 0; n < 3; n++) story.decide();
      const draft = draftAt(story, signRound(story));
      const after = checkpointOf(story, 'activity', story.activity.length);
      const { verdicts, codes: found } = await judge(draft, after);
      expect(verdicts).toMatch(/^fail /);
      expect(found).toContain('log_key_rival');
    }
  });
});
