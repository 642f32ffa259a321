import { GateError, parseJson } from '@decision-ledger/proof/gate';
import { expect, it } from 'vitest';
import { valueCasesOf } from './support/value-cases.js';

/** The path that the gate of the API refuses; undefined if it accepts the text. */
function refusedPath(text: string): string | undefined {
  try {
    parseJson(`{"inputs":{"kept":"49.00","odd":${text}}}`);
    return undefined;
  } catch (error) {
    return error instanceof GateError ? error.path : 'no GateError';
  }
}

it.for(valueCasesOf('json-text').map((one) => [one.name, one] as const))(
  'The API refuses a value that clients degrade, and names its field: %s',
  ([_name, { text, refused }]) => {
    expect(refusedPath(text)).toBe(refused);
  },
);
