import type { Link } from '@decision-ledger/contract/link';
import { describeLink, reviewLink } from '../domains/record/links/index.js';
import type { Ledger } from '../platform/ledger.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { CommandError, explain, print, printJson } from './output.js';
import {
  MAX_SUGGESTIONS,
  readSuggestions,
  suggestionSentence,
  type Verdict,
} from './suggestions.js';

interface ReviewOptions extends LedgerOptions {
  readonly confirm?: readonly string[];
  readonly reject?: readonly string[];
  readonly json?: boolean;
}

/** Applies the given verdicts; without any, lists the suggestions or prompts for each. */
export async function reviewLinks(options: ReviewOptions): Promise<void> {
  const verdicts = readVerdicts(options);
  await withLedger(options, (ledger, service, operator) =>
    verdicts.length === 0
      ? showSuggestions(ledger, service, operator, options)
      : settle(ledger, service, operator, verdicts, options),
  );
}

function readVerdicts({ confirm = [], reject = [] }: ReviewOptions): [string, Verdict][] {
  const both = confirm.filter((id) => reject.includes(id));
  if (both.length > 0) {
    throw new CommandError(`${both.join(', ')}: either confirm a link or reject it`);
  }
  return [
    ...[...new Set(confirm)].map((id): [string, Verdict] => [id, 'confirm']),
    ...[...new Set(reject)].map((id): [string, Verdict] => [id, 'reject']),
  ];
}

async function settle(
  ledger: Ledger,
  service: Service,
  operator: Principal,
  verdicts: readonly (readonly [string, Verdict])[],
  { json }: ReviewOptions,
): Promise<void> {
  const links: Link[] = [];
  for (const [id, verdict] of verdicts) {
    try {
      links.push(await review(ledger, service, operator, id, verdict));
    } catch (error) {
      const before =
        links.length === 0 ? 'nothing was reviewed' : `${links.length} reviewed before`;
      throw new CommandError(`${id}: ${explain(error)} (${before})`);
    }
  }
  if (json === true) return printJson({ links });
  for (const { id, status } of links) print(`${id} is ${status} now.`);
}

/** A review changes the remaining share of an event, so its other candidates are matched again. */
async function review(
  ledger: Ledger,
  service: Service,
  operator: Principal,
  id: string,
  verdict: Verdict,
): Promise<Link> {
  const row = await ledger.write((tx) => reviewLink(tx, service.hooks, operator, id, verdict));
  return describeLink(row);
}

async function showSuggestions(
  ledger: Ledger,
  service: Service,
  operator: Principal,
  { json }: ReviewOptions,
): Promise<void> {
  const { suggestions, hasMore } = await readSuggestions(ledger, service);
  if (json === true) return printJson({ links: suggestions, has_more: hasMore });
  if (suggestions.length === 0) return print('No suggested link waits for a review.');
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const { askForEach } = await import('./links-prompt.js');
    return askForEach(suggestions, async (id, verdict) => {
      await review(ledger, service, operator, id, verdict);
    });
  }
  for (const suggestion of suggestions) print(suggestionSentence(suggestion));
  if (hasMore) print(`These are the first ${MAX_SUGGESTIONS}: review them to see more.`);
  print('', 'Review them with --confirm ID and --reject ID.');
}
