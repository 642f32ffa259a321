import { Type } from 'typebox';

/** Objects take no other members. */
export const CLOSED = { additionalProperties: false } as const;

/** How answers show a secret: a mask that identifies it. A mask that is sent back keeps the secret. */
export const MASK = String.raw`\*{8}[0-9a-f]{8}`;

/** The form of a secret, and the error for a value of another form. */
interface SecretForm {
  readonly pattern: string;
  readonly maxLength: number;
  readonly problem: string;
}

/** A text that is sealed at rest and answered as a mask. */
export const secret = ({ pattern, maxLength, problem }: SecretForm, description: string) =>
  Type.String({
    writeOnly: true,
    minLength: 1,
    maxLength,
    pattern: `^(?:${pattern}|${MASK})$`,
    'x-problem': problem,
    description: `Secret. ${description}`,
  });

export const printable = (maxLength: number): SecretForm => ({
  pattern: String.raw`[\x21-\x7e]+`,
  maxLength,
  problem: `must be 1 to ${maxLength} characters of ASCII without spaces`,
});

/** The beginning of a URL. A URL in a patch is checked in full. */
export const URL_PATTERN = '^https?://';

export const url = (description: string) =>
  Type.String({
    pattern: URL_PATTERN,
    maxLength: 2000,
    description: `${description} An http or https URL without user name and password.`,
    'x-problem': 'must be an http or https URL without user name and password',
  });

export const Word = {
  pattern: '^[A-Za-z0-9_-]{1,50}$',
  'x-problem': 'must be 1 to 50 letters, digits, hyphens and underscores',
};

/** Settings of former releases, and what replaces them. */
export const RETIRED = {
  'x-retired': {
    allow_private_addresses:
      'is no longer a setting: the operator of the service allows private addresses with the ' +
      'environment variable LEDGER_ALLOW_PRIVATE_ADDRESSES',
  },
};
