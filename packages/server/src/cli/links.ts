import type { Readable, Writable } from 'node:stream';
import { cancel, intro, isCancel, log, note, outro, select } from '@clack/prompts';
import type { Decision } from '@decision-ledger/contract/decision';
import type { FinancialEvent } from '@decision-ledger/contract/financial-event';
import type { Link } from '@decision-ledger/contract/link';
import { suggestNow } from '../domains/judgement/attribution/index.js';
import { readDecision } from '../domains/record/decisions/index.js';
import { describeEvent, readEvent } from '../domains/record/financial-events/index.js';
import { describeLink, listLinks, reviewLink } from '../domains/record/links/index.js';
import type { Ledger } from '../platform/ledger.js';
import type { Principal } from '../platform/principal.js';
import type { Service } from '../service.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { CommandError, explain, print, printJson } from './output.js';

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
    return askForEach(suggestions, async (id, verdict) => {
      await review(ledger, service, operator, id, verdict);
    });
  }
  for (const suggestion of suggestions) print(suggestionSentence(suggestion));
  if (hasMore) print(`These are the first ${MAX_SUGGESTIONS}: review them to see more.`);
  print('', 'Review them with --confirm ID and --reject ID.');
}

const MAX_CHARS = 300;

interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

/** Prompts for a verdict on each suggestion and applies it immediately. */
export async function askForEach(
  suggestions: readonly Suggestion[],
  review: (id: string, verdict: Verdict) => Promise<void>,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<void> {
  intro(`${suggestions.length} suggested links`, terminal);
  const count = { confirm: 0, reject: 0 };
  for (const [index, suggestion] of suggestions.entries()) {
    note(describe(suggestion), `${index + 1} of ${suggestions.length}  ${suggestion.id}`, terminal);
    const answer = await select<Verdict | 'later' | 'stop'>({
      ...terminal,
      message: 'Did this decision move this money?',
      options: [
        { value: 'confirm', label: 'Yes: confirm the link' },
        { value: 'reject', label: 'No: reject it' },
        { value: 'later', label: 'Later' },
        { value: 'stop', label: 'Stop here' },
      ],
    });
    if (isCancel(answer) || answer === 'stop') {
      cancel(summary(count), terminal);
      return;
    }
    if (answer === 'later') continue;
    try {
      await review(suggestion.id, answer);
      count[answer] += 1;
    } catch (error) {
      // Another person may have reviewed it, or a review may have changed other suggestions.
      log.warn(printable(explain(error)), terminal);
    }
  }
  outro(summary(count), terminal);
}

function summary({ confirm, reject }: Readonly<Record<Verdict, number>>): string {
  return `${confirm} confirmed, ${reject} rejected.`;
}

function describe({ correlation_strength, decision, financial_event: event }: Suggestion): string {
  const rows = [
    ['Money', `${event.event_type} ${event.amount} ${event.currency}, ${event.timestamp}`],
    ['From', [event.source, event.external_id, event.description].filter(Boolean).join(', ')],
    ['Decision', `${decision.agent_id} ${decision.action_type}, ${decision.timestamp}`],
    ['Inputs', JSON.stringify(decision.inputs ?? null)],
    ['Outputs', JSON.stringify(decision.outputs ?? null)],
    ['Share', `${Math.round(correlation_strength * 100)} % of the event`],
  ];
  return rows.map(([name = '', text = '']) => `${name.padEnd(9)} ${short(text)}`).join('\n');
}

function short(text: string): string {
  const plain = printable(text);
  return plain.length <= MAX_CHARS ? plain : `${plain.slice(0, MAX_CHARS)}…`;
}

type Verdict = 'confirm' | 'reject';

/** A suggested link with its decision and financial event. */
export interface Suggestion extends Link {
  readonly decision: Decision;
  readonly financial_event: FinancialEvent;
}

/** Maximum number of suggestions in a list. */
const MAX_SUGGESTIONS = 100;

/** Events that no worker has matched yet are matched first, so that the list is complete. */
async function readSuggestions(ledger: Ledger, service: Service) {
  await suggestNow(ledger, service.hooks, new AbortController().signal);
  const slice = { after: null, limit: MAX_SUGGESTIONS };
  const { rows, hasMore } = await listLinks(ledger, { status: 'ML_SUGGESTED' }, slice);
  const suggestions: Suggestion[] = [];
  for (const { link } of rows) {
    const shown = describeLink(link);
    const decision = await readDecision(ledger, shown.decision_id);
    const event = describeEvent(await readEvent(ledger, shown.financial_event_id));
    suggestions.push({ ...shown, decision, financial_event: event });
  }
  return { suggestions, hasMore };
}

/** A single line without line breaks and control characters. */
function suggestionSentence({ id, correlation_strength, ...link }: Suggestion): string {
  const { decision, financial_event: event } = link;
  const reference = event.external_id === undefined ? '' : ` ${event.external_id}`;
  const money = `${event.event_type} ${event.amount} ${event.currency}${reference}`;
  const cause = `${decision.agent_id} ${decision.action_type}`;
  const text = `${Math.round(correlation_strength * 100)} %  ${money} (${event.timestamp})  caused by  ${cause} (${decision.timestamp})`;
  return `${id}  ${printable(text)}`;
}

/** Replaces characters that a terminal could interpret as commands. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}');
}
