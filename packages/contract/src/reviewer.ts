import { type Static, Type } from 'typebox';
import { PersonName } from './shared.js';

/** The person who reviewed, as the activity chain records it. */
export const Reviewer = Type.Object({
  name: Type.String(),
  source: Type.Enum(['session', 'self_declared'], {
    description:
      'session: the person of the session. self_declared: stated in the body by the holder of a key.',
  }),
});
export type Reviewer = Static<typeof Reviewer>;

/** The member of a request body that names the reviewer. */
export const DECLARED_REVIEWER = {
  reviewer: Type.Optional(
    PersonName(
      'The person who reviewed; recorded as self-declared. Only with a key: a session names its person.',
    ),
  ),
};
