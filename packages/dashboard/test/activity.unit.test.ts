import type { ActivityType } from '@decision-ledger/proof/activity-types';
import { describe, expect, it } from 'vitest';
import { authorOf, CHANGES, changeOf, summaryOf } from '#dashboard/components/activity-words.ts';

describe('The author of a change', () => {
  const names = new Map([['key_1', 'Refund bot']]);

  it.each([
    ['Ada Lovelace (ses_01h4)', 'Ada Lovelace'],
    ['Ada (finance) (ses_01h4)', 'Ada (finance)'],
    ['operator', 'Operator (command line)'],
    ['engine', 'The service'],
    ['key_1', 'Refund bot'],
    ['key_2', 'key_2'],
    ['accounting/books', 'accounting/books'],
  ])('The actor %s reads: %s', (actor, author) => {
    expect(authorOf(actor, names)).toBe(author);
  });
});

describe('A change on one line', () => {
  it('The members that say most come first, and nested data is JSON', () => {
    expect(summaryOf({ data: { key_fingerprint: 'ab', fields: ['inputs', 'metadata'] } })).toBe(
      'fields: inputs metadata',
    );
    expect(summaryOf({ data: { settings: { a: 1 } } })).toBe('settings: {"a":1}');
    expect(summaryOf({})).toBe('');
    const reasons = [
      { type: 'movement.paired', figures: [{ figure: 'total', amount: '-119.00' }] },
      { type: 'link.created', figures: [{ figure: 'unattributed', amount: '-5' }] },
    ];
    expect(summaryOf({ data: { month: '2026-03', explanation: { reasons } } })).toBe(
      '2026-03: paired as the same money −119.00, link created',
    );
    expect(summaryOf({ data: { month: '2026-03', figures: 1 } })).toBe('month: 2026-03');
  });

  it('Long data is cut', () => {
    expect(summaryOf({ data: { reason: 'x'.repeat(500) } }).length).toBeLessThan(130);
  });

  it('Every kind that the service records has a name', () => {
    // A kind without one does not compile.
    const names: Readonly<Record<ActivityType, string>> = CHANGES;
    for (const [type, name] of Object.entries(names)) expect(name).not.toBe(type);
  });

  it('A kind that is not known keeps its name, also that of a member of every object', () => {
    expect(changeOf('key.issued')).toBe('Key issued');
    expect(changeOf('future.change')).toBe('future.change');
    expect(changeOf('constructor')).toBe('constructor');
  });
});
