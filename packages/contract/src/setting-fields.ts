import { Type } from 'typebox';

/** Rejects unknown members. */
export const CLOSED = { additionalProperties: false } as const;

/** The mask of a secret in responses. A patch that sends the mask keeps the secret. */
export const MASK = String.raw`\*{8}[0-9a-f]{8}`;

/** The format of a secret and its error message. */
interface SecretForm {
  readonly pattern: string;
  readonly maxLength: number;
  readonly problem: string;
}

/** A text that is encrypted at rest and masked in responses. */
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
  problem: `must be 1 to ${maxLength} ASCII characters without spaces`,
});

/** The pattern of a stored URL; new URLs are checked further. */
export const URL_PATTERN = '^https?://';

export const url = (description: string) =>
  Type.String({
    pattern: URL_PATTERN,
    maxLength: 2000,
    description: `${description} An http or https URL without user name and password.`,
    'x-problem': 'must be an http or https URL without user name and password',
  });

/** An amount of money in the base currency. */
export const amount = (description: string) =>
  Type.String({
    pattern: String.raw`^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,12})?$`,
    'x-problem':
      'must be a decimal of 0 or more, with at most 15 digits before and 12 after the point',
    description: `${description} A decimal of 0 or more.`,
  });

export const Word = {
  pattern: '^[A-Za-z0-9_-]{1,50}$',
  'x-problem': 'must be 1 to 50 letters, digits, hyphens and underscores',
};
