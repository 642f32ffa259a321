import { type Static, Type } from 'typebox';
import { FinancialEvent } from './financial-event.js';
import { Id, Name, NextCursor, PageParameters, Timestamp } from './shared.js';

const { source, event_type, amount, currency } = FinancialEvent.properties;

/** A decision or a financial event that a search found. */
export const SearchHit = Type.Object({
  type: Type.Enum(['decision', 'financial_event']),
  id: Type.Union([Id('dec'), Id('evt')]),
  timestamp: Timestamp,
  matched: Type.Array(Type.Enum(['id', 'external_id', 'metadata', 'amount', 'text']), {
    description:
      'What equals the text. amount: the size of the amount, and the currency if the text names one. ' +
      'text: the description and external_id of an event have all its words.',
  }),
  metadata_keys: Type.Array(Type.String(), {
    description: 'The members of metadata whose value equals the text.',
  }),
  agent_id: Type.Optional(Type.String({ description: 'Of a decision.' })),
  action_type: Type.Optional(Type.String({ description: 'Of a decision.' })),
  source: Type.Optional(source),
  event_type: Type.Optional(event_type),
  amount: Type.Optional(amount),
  currency: Type.Optional(currency),
  external_id: Type.Optional(Type.String()),
  description: Type.Optional(
    Type.String({ description: 'Of an event: its first 200 characters.' }),
  ),
  deleted_at: Type.Optional(
    Type.Union([Timestamp, Type.Null()], {
      description: 'Of an event: null if it is not deleted.',
    }),
  ),
});
export type SearchHit = Static<typeof SearchHit>;

export const SearchPage = Type.Object({
  results: Type.Array(SearchHit),
  next_cursor: NextCursor,
});
export type SearchPage = Static<typeof SearchPage>;

/** The query of GET /search. */
export const SearchQuery = Type.Object(
  {
    q: Name(
      'The text to find: a whole id, external_id or value of metadata; an amount such as CHF 99; or ' +
        'words of the description or external_id of an event.',
    ),
    ...PageParameters,
  },
  { additionalProperties: false },
);
export type SearchQuery = Static<typeof SearchQuery>;
