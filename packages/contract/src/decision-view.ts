import { type Static, Type } from 'typebox';
import { Decision } from './decision.js';
import { Liability } from './liability.js';
import { Link } from './link.js';
import { NextCursor } from './shared.js';

/** The answer to GET /decisions/{id}. */
export const DecisionInDetail = Type.Object({
  ...Decision.properties,
  liability: Type.Union([Liability, Type.Null()], {
    description:
      'The estimate that holds. Null for a decision that a release without estimates recorded, until ' +
      'the worker has come to it.',
  }),
  links: Type.Array(Link, {
    description: 'Its links that stand, newest first, as many as a page of GET /links holds.',
  }),
  links_next_cursor: Type.Union(NextCursor.anyOf, {
    description:
      'Where there are more: the cursor with which GET /links?decision_id={id} goes on. Null where ' +
      'there are none.',
  }),
});
export type DecisionInDetail = Static<typeof DecisionInDetail>;
