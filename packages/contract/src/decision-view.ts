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
      'The current estimate. Null for a decision recorded by a release without estimates, until ' +
      'the worker has estimated it.',
  }),
  links: Type.Array(Link, {
    description: 'Its active links, newest first: at most one page of GET /links.',
  }),
  links_next_cursor: Type.Union(NextCursor.anyOf, {
    description:
      'The cursor that continues the list with GET /links?decision_id={id}. Null if the list is ' +
      'complete.',
  }),
});
export type DecisionInDetail = Static<typeof DecisionInDetail>;
