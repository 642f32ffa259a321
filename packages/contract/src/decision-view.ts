import { type Static, Type } from 'typebox';
import { Decision } from './decision.js';
import { Link } from './link.js';

/** The answer to GET /decisions/{id}. */
export const DecisionInDetail = Type.Object({
  ...Decision.properties,
  links: Type.Array(Link, { description: 'Its links that stand, newest first; at most 500.' }),
});
export type DecisionInDetail = Static<typeof DecisionInDetail>;
