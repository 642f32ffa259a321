import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { askForEach, type Suggestion } from '#server/cli/links';

const ENTER = '\r';
const DOWN = '\u001b[B';

function suggestion(id: string, action: string): Suggestion {
  const at = '2026-04-16T09:30:00.000Z';
  return {
    id,
    ...{ decision_id: 'dec_1', financial_event_id: 'evt_1', correlation_strength: 0.98 },
    ...{ reversal: false, label: 'matched' },
    ...{ link_type: 'refund', attribution_method: 'probabilistic', status: 'ML_SUGGESTED' },
    ...{ created_by: 'attribution/v1', created_at: at, deleted_at: null },
    decision: {
      ...{ decision_id: 'dec_1', seq: 1, agent_id: 'support-agent', action_type: action },
      ...{ inputs: {}, outputs: {}, confidence: 0.9, human_in_loop: false },
      ...{ timestamp: at, created_at: at, hash: '', prev_hash: '' },
    },
    financial_event: {
      ...{ id: 'evt_1', source: 'shop', event_type: 'refund', amount: '-19.90', currency: 'USD' },
      ...{ timestamp: at, created_at: at, deleted_at: null },
    },
  };
}

/** A person at a terminal, who gives each answer once its question is shown. */
function person(answers: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  let asked = 0;
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const questions = stripVTControlCharacters(text).split('◆').length - 1;
    if (questions <= asked) return;
    const answer = answers[asked] ?? '';
    asked = questions;
    // Keys arrive one at a time, as from a keyboard.
    for (const key of answer.match(/\u001b\[B|\r/g) ?? []) setTimeout(() => input.write(key), 10);
  });
  return { input, output, said: () => stripVTControlCharacters(text) };
}

describe('Prompt for suggested links', () => {
  it('The prompt takes one answer per link and ends when it is stopped', async () => {
    const ids = ['lnk_a', 'lnk_b', 'lnk_c', 'lnk_d'];
    const review = vi.fn(async () => undefined);
    const terminal = person([ENTER, DOWN + ENTER, DOWN + DOWN + ENTER, DOWN + DOWN + DOWN + ENTER]);
    const suggestions = ids.map((id) => suggestion(id, 'approve_refund'));
    await askForEach(suggestions, review, terminal);
    expect(review.mock.calls).toEqual([
      ['lnk_a', 'confirm'],
      ['lnk_b', 'reject'],
    ]);
    expect(terminal.said()).toContain('1 confirmed, 1 rejected.');
  });

  it('The prompt continues after a refused review and shows the reason', async () => {
    const review = vi.fn(async (id: string) => {
      if (id === 'lnk_a') throw new RangeError('somebody was faster');
    });
    const terminal = person([ENTER, ENTER]);
    const suggestions = ['lnk_a', 'lnk_b'].map((id) => suggestion(id, 'approve_refund'));
    await askForEach(suggestions, review, terminal);
    expect(terminal.said()).toContain('somebody was faster');
    expect(terminal.said()).toContain('1 confirmed, 0 rejected.');
  });

  it('Recorded text is never sent to the terminal as a control sequence', async () => {
    const terminal = person([ENTER]);
    const said: string[] = [];
    terminal.output.on('data', (chunk: string) => void said.push(chunk));
    await askForEach(
      [suggestion('lnk_a', 'a\u001b]0;owned\u0007b')],
      async () => undefined,
      terminal,
    );
    expect(said.join('')).not.toContain('\u001b]0;');
  });
});
