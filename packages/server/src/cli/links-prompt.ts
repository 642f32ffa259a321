import type { Readable, Writable } from 'node:stream';
import { cancel, intro, isCancel, log, note, outro, select } from '@clack/prompts';
import { explain } from './output.js';
import { printable, type Suggestion, type Verdict } from './suggestions.js';

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
