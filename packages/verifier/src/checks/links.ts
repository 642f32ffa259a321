import { FILES } from '@decision-ledger/proof/bundle/format';
import { LINK_MEMBERS } from '@decision-ledger/proof/replay/links';
import type { Change } from './activity-facts.js';
import type { Files } from './files.js';
import { HistoryCheck, type RecordsContext } from './histories.js';
import { LinkHistories } from './link-histories.js';
import { RecordLines } from './record-lines.js';

const LINKS = 'links.json';

/** Checks that each link matches the activity, and that no link with disclosed activity is missing. */
export async function checkLinks(
  files: Files,
  { manifest, activity, findings, chosen }: RecordsContext,
): Promise<void> {
  const histories = new LinkHistories(activity.links);
  const kind = {
    file: LINKS,
    histories: activity.links,
    members: LINK_MEMBERS,
    replay: (changes: readonly Change[]) => histories.replay(changes),
    makings: ['link.created', 'link.suggested'],
    orderedBy: FILES[LINKS].orderedBy,
  };
  const check = new HistoryCheck({ kind, manifest, activity, findings });
  const lines = new RecordLines(LINKS, findings, (record) => {
    chosen?.link(record, activity);
    check.check(record);
  });
  await files.lines(LINKS, lines);
  lines.end();
  for (const [id, made] of check.missing()) {
    const message = `A link was created or suggested, but is not in ${LINKS}.`;
    check.fail('link_missing', message, id, made.seq, 'completeness');
  }
}
