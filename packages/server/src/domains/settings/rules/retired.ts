import { isObject, type JsonObject } from './merge.js';

const NAME = 'allow_private_addresses';

/** Why the setting is refused that former releases had. */
const GONE =
  'is no setting any more: private addresses are allowed by the operator of the service, with the ' +
  'environment variable LEDGER_ALLOW_PRIVATE_ADDRESSES';

/** A stored document without what former releases kept in it. */
export function withoutRetired(document: JsonObject): JsonObject {
  const { alerts, accounting } = document;
  return {
    ...document,
    ...(isObject(alerts) && { alerts: without(alerts) }),
    ...(Array.isArray(accounting) && {
      accounting: accounting.map((one) => (isObject(one) ? without(one) : one)),
    }),
  };
}

/** Each retired setting of a document, with its path. */
export function retiredProblems({ alerts, accounting }: JsonObject): [string, string][] {
  const connections = Array.isArray(accounting) ? accounting : [];
  return [
    ...connections.map((one, index) => [`accounting[${index}]`, one] as const),
    ['alerts', alerts] as const,
  ].flatMap(([path, one]): [string, string][] =>
    isObject(one) && NAME in one ? [[`${path}.${NAME}`, GONE]] : [],
  );
}

function without(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== NAME));
}
