import { type Static, Type } from 'typebox';

export const DEFAULT_TRANSPARENCY = {
  name: 'decision-ledger',
  interval_seconds: 300,
  public: 'none',
};

/** Settings of the transparency logs. */
export const TransparencySettings = Type.Object(
  {
    name: Type.String({
      maxLength: 100,
      pattern: '^[a-z0-9](?:[a-z0-9._/-]*[a-z0-9])?$',
      'x-problem':
        'must be a name such as ledger.example.com: lower-case letters, digits, points, hyphens, ' +
        'underscores and slashes',
      default: DEFAULT_TRANSPARENCY.name,
      description:
        'The first part of the origin of the logs, such as a host name. It applies when the logs are ' +
        'started, and does not change their origin later.',
    }),
    interval_seconds: Type.Integer({
      minimum: 10,
      maximum: 86_400,
      default: DEFAULT_TRANSPARENCY.interval_seconds,
      description: 'How often checkpoints are signed if anything was recorded, in seconds.',
    }),
    public: Type.Enum(['none', 'tree'], {
      default: DEFAULT_TRANSPARENCY.public,
      description:
        'What anybody may read without a key: `none`, or `tree`: checkpoints, the hashes of the tree ' +
        'and consistency proofs. Entries need a key in either case.',
    }),
  },
  { additionalProperties: false },
);
export type TransparencySettings = Static<typeof TransparencySettings>;
