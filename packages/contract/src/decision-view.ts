import { type Static, Type } from 'typebox';
import { Decision } from './decision.js';
import { Liability } from './liability.js';
import { Link } from './link.js';
import { NextCursor } from './shared.js';

const Neighbour = (description: string) =>
  Type.Union(
    [
      Type.Object({
        decision_id: Decision.properties.decision_id,
        seq: Decision.properties.seq,
        hash: Decision.properties.hash,
      }),
      Type.Null(),
    ],
    { description },
  );

/** The answer to GET /decisions/{id}. */
export const DecisionInDetail = Type.Object({
  ...Decision.properties,
  previous: Neighbour('The decision before it in the chain. Null for the first one.'),
  next: Neighbour('The decision after it in the chain. Null for the last one.'),
  liability: Type.Union([Liability, Type.Null()], {
    description: 'The current estimate: the stored one, or the first one until it is stored.',
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
