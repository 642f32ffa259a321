import type { SpanGroup } from '@decision-ledger/client/api/operations';
import { describe, expect, it } from 'vitest';
import { draftOf, ruleOf } from '#dashboard/pages/settings/spans/new-rule.ts';

type Attribute = SpanGroup['attributes'][number];

const group = (attributes: readonly Attribute[], scope: string | null = 'shop'): SpanGroup => ({
  ...{ signal: 'traces', scope, scope_version: '1', taken_by: null },
  ...{ result: 'ignored', reason: 'no_rule', count: 1 },
  ...{ first_at: '2026-04-16T09:30:00.000Z', last_at: '2026-04-16T09:30:00.000Z', attributes },
});
const text = (name: string): Attribute => ({ name, type: 'text' });

describe('A rule that is made of spans', () => {
  it('It reads the attributes whose names say what they hold', () => {
    const draft = draftOf(
      group([
        text('event:said:result'),
        text('resource:tool.name'),
        text('shop.agent_name'),
        text('shop.arguments.hash'),
        { name: 'shop.tool.arguments', type: 'json' },
        text('shop.tool.name'),
        text('shop.tool.result'),
        { name: 'shop.confidence', type: 'number' },
      ]),
    );
    expect(ruleOf(draft)).toEqual({
      scope: 'shop',
      attribute: 'shop.tool.arguments',
      agent_id: ['shop.agent_name'],
      action_type: ['shop.tool.name'],
      inputs: ['shop.tool.arguments'],
      outputs: ['shop.tool.result'],
      confidence: ['shop.confidence'],
    });
  });

  it('It leaves to the service what no name tells, and has a condition beside the scope', () => {
    const draft = draftOf(group([text('resource:service.name'), text('kind'), text('other')]));
    expect(ruleOf(draft)).toEqual({ scope: 'shop', attribute: 'kind' });
    expect(ruleOf(draftOf(group([], '')))).toEqual({});
  });

  it('It has a place for each line that is not empty', () => {
    const draft = { ...draftOf(group([])), inputs: ' a | b \n\n c#/d', value: ' ', scope: ' s* ' };
    expect(ruleOf(draft)).toEqual({ scope: 's*', inputs: ['a | b', 'c#/d'] });
  });
});
