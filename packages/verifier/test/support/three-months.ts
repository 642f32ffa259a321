import { type Draft, pack } from './bundle.js';
import { check, codes } from './check.js';
import { draftAt } from './draft.js';
import { type Round, signRound, startLogs } from './logs.js';
import { Story } from './story.js';

export const FEBRUARY = { start: '2026-02-01T00:00:00.000Z', end: '2026-03-01T00:00:00.000Z' };
const MONTH = 28 * 24 * 60;
const MONEY = { source: 'till', event_type: 'loss', amount: '-5.00', currency: 'USD' };

/** Four decisions of January, five of February, three of March: each month has two losses with links. */
export function threeMonths(ledger?: string): { story: Story; round: Round } {
  const story = new Story(ledger === undefined ? {} : { ledger });
  startLogs(story);
  for (const count of [4, 5, 3]) {
    const rows = Array.from({ length: count }, () => story.decide());
    for (const row of rows.slice(0, 2)) {
      const id = story.recordEvent({ ...MONEY, timestamp: story.time() });
      story.createLink(String(row.decision_id), id);
    }
    story.wait(MONTH);
  }
  return { story, round: signRound(story) };
}

export const february = ({ story, round }: ReturnType<typeof threeMonths>) =>
  draftAt(story, round, { range: FEBRUARY });

/** What an auditor reads who kept a checkpoint. */
export async function judge(draft: Draft, checkpoint: string) {
  const report = await check(await pack(draft), { checkpoint });
  const { integrity, completeness } = report.verdicts;
  return {
    verdicts: `${integrity.verdict} ${completeness.verdict}`,
    codes: [...new Set([...codes(report, 'integrity'), ...codes(report, 'completeness')])],
  };
}
