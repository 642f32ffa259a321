import type { JsonValue } from '@decision-ledger/proof/gate';
import { verdictsIn } from '@decision-ledger/verifier/report/report';
import { beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../proof/test/support/runs.js';
import { seeded } from '../../proof/test/support/seeded.js';
import { type Draft, pack } from './support/bundle.js';
import { check } from './support/check.js';
import { draftOf } from './support/draft.js';
import { contradictionsIn } from './support/money-model.js';
import { MutatedStory, mutateFiles, tellMoney } from './support/mutations.js';
import { type Row, Story } from './support/story.js';

/** Each is signed again. */
const MUTATIONS = runs(2000);
const FILES = ['events.json', 'links.json', 'activity.ndjson'];

/** The verdicts with all findings, so that a new doubt is no acceptance. */
async function readingOf(draft: Draft): Promise<string> {
  const verdicts = verdictsIn(await check(await pack(draft)));
  return verdicts
    .map(([name, { verdict, findings }]) => [name, verdict, ...findings.map(({ code }) => code)])
    .join(' ');
}

/** A bundle without absent members, which its rows may state as null. */
function contentOf({ files }: Draft): string {
  return JSON.stringify(
    FILES.map((name) => {
      const text = String(files.get(name));
      if (name === 'activity.ndjson') return text;
      const rows: Row[] = JSON.parse(text);
      return rows.map((row) => Object.entries(row).filter(isStated).sort());
    }),
  );
}

const isStated = ([, value]: [string, JsonValue]) => value !== null;

describe('Bundles that the operator signs again', () => {
  let honest: { readonly reading: string; readonly content: string };
  const told = () => {
    const story = new Story();
    tellMoney(story);
    return { story, draft: draftOf(story) };
  };

  beforeAll(async () => {
    const { draft } = told();
    honest = { reading: await readingOf(draft), content: contentOf(draft) };
  });

  test('The honest bundle contradicts nothing', () => {
    expect(honest.reading).not.toContain('fail');
    expect(contradictionsIn(told().story)).toEqual([]);
  });

  test('Of changed rows and disclosures, those alone pass that say the same', async () => {
    const random = seeded(47);
    const accepted: string[] = [];
    for (let done = 0; done < MUTATIONS; ) {
      const { story, draft } = told();
      try {
        mutateFiles(draft, story, random);
      } catch (error) {
        if (String(error).includes('changes nothing')) continue;
        throw error;
      }
      done++;
      if ((await readingOf(draft)) !== honest.reading) continue;
      if (contentOf(draft) !== honest.content) accepted.push(contentOf(draft));
    }
    expect(accepted).toEqual([]);
  });

  test('Of histories that were told otherwise, those alone pass that contradict nothing', async () => {
    const random = seeded(470);
    const accepted: string[] = [];
    let refused = 0;
    const steps = stepsOf();
    for (let done = 0; done < MUTATIONS; done++) {
      const story = new MutatedStory(Math.floor(random() * steps), random);
      try {
        tellMoney(story);
      } catch {
        // A later step is about what the changed one left out.
        continue;
      }
      const reading = await readingOf(draftOf(story));
      if (reading !== honest.reading) refused++;
      else if (contradictionsIn(story).length > 0) accepted.push(story.told);
    }
    expect(accepted).toEqual([]);
    expect(refused).toBeGreaterThan(MUTATIONS / 10);
  });
});

function stepsOf(): number {
  const story = new MutatedStory(-1, seeded(1));
  tellMoney(story);
  return story.steps;
}
