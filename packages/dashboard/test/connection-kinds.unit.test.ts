import { describe, expect, it } from 'vitest';
import { connectionOf, draftOf, kindsOf } from '#dashboard/pages/money/connection-kinds.ts';

const text = { type: 'string', description: 'A text.' };
const schema = {
  type: 'object',
  required: ['id', 'kind', 'url'],
  properties: {
    ...{ id: text, kind: { const: 'hledger' }, url: text },
    accounts: { type: 'array', items: text },
    commodities: { type: 'object', patternProperties: { '^.*$': text } },
    large_changes: { enum: ['confirm', 'apply'], default: 'confirm' },
  },
};
const description = {
  components: {
    schemas: { SettingsPatch: { properties: { accounting: { items: { anyOf: [schema] } } } } },
  },
};

describe('The form of an accounting connection', () => {
  const [hledger] = kindsOf(description);
  if (hledger === undefined) throw new Error('the description has no kind');
  const sent = (draft: object) =>
    connectionOf(hledger, { id: 'books', url: 'http://a.example', ...draft }, null);

  it('A mapping is written as lines, and read from them', () => {
    const commodities = { kr: 'SEK', R$: 'BRL', 'a = b': 'EUR', '': 'CHF' };
    const typed = 'kr = SEK\n R$=BRL\n\na = b = EUR\n= CHF';
    expect(sent({ commodities: typed })).toMatchObject({ commodities });
    const draft = draftOf(hledger, { kind: 'hledger', id: 'books', commodities });
    expect(sent(draft)).toMatchObject({ commodities });
  });

  it('An empty mapping is left out, and a line without a sign is left to the service', () => {
    expect(sent({ commodities: ' \n' })).not.toHaveProperty('commodities');
    expect(sent({ commodities: 'kr' })).toMatchObject({ commodities: { kr: '' } });
  });

  it('A choice is sent with its default', () => {
    expect(sent({})).toMatchObject({ kind: 'hledger', large_changes: 'confirm' });
  });
});
