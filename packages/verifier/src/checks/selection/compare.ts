import type { Findings } from '../../report/findings.js';
import type { Finding } from '../../report/report.js';
import { unpack } from '../activity-facts.js';
import type { Inspection } from '../inspect.js';

/**
 * Checks that neither of two bundles withholds a decision that its own filter chooses and that the other one
 * shows. Decisions never change, so the order of the bundles does not matter, unless fields were erased.
 */
export function checkSelections(earlier: Inspection, later: Inspection, findings: Findings): void {
  for (const { seq, wasErased } of withheldBy(later, earlier)) {
    const message = `The earlier bundle shows the decision of seq ${seq}, which the filter chooses. This bundle withholds it.`;
    const finding = { file: 'withheld.ndjson', seq } as const;
    if (!wasErased) {
      findings.fail('selection', { code: 'previous_contradicts', ...finding, message });
      continue;
    }
    const erased = `${message} A field of it was erased in between, so it may no longer match.`;
    findings.doubt('selection', { code: 'previous_unknown', ...finding, message: erased });
  }
  for (const { seq } of withheldBy(earlier, later)) {
    const message = `This bundle shows the decision of seq ${seq}, which the filter of the earlier bundle chooses. The earlier bundle withholds it.`;
    findings.fail('completeness', { code: 'previous_omits', seq, message });
  }
  for (const finding of linksNotShown(earlier, later)) findings.doubt('selection', finding);
}

interface Withheld {
  readonly seq: number;
  /** Whether the bundle shows that a field of the decision was erased. */
  readonly wasErased: boolean;
}

/** The decisions that a bundle withholds though its filter chooses them, as another bundle shows. */
function* withheldBy(
  { run, manifest, activity }: Inspection,
  other: Inspection,
): Generator<Withheld> {
  const { selection, range } = manifest;
  if (selection === null || run === null) return;
  const [start, end] = [Date.parse(range.start), Date.parse(range.end)];
  for (const { seq, time, id } of other.run?.chosen() ?? []) {
    if (time < start || time >= end || !run.isWithheld(seq)) continue;
    yield { seq, wasErased: activity?.hidesErasure(id) === true };
  }
}

/** Links of decisions that both bundles show, which the later one lacks. They may have been rejected since. */
function* linksNotShown(earlier: Inspection, later: Inspection): Generator<Finding> {
  if (later.chosen === null || earlier.activity === null || later.activity === null) return;
  for (const [id, { changes }] of earlier.activity.links) {
    const [made] = changes;
    const decision = made && unpack(made).get('decision_id')?.slice(1, -1);
    if (decision === undefined || !later.chosen.decisions.has(decision)) continue;
    if (later.activity.links.has(id)) continue;
    const message =
      'The earlier bundle shows a link of a disclosed decision, which this one withholds. It may never have been confirmed, or was rejected since.';
    yield { code: 'previous_unknown', file: 'links.json', id, message };
  }
}
