import { isObject, type JsonObject } from './merge.js';

const NAME = 'allow_private_addresses';

/** A stored document without the settings of earlier releases that are gone. */
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

function without(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== NAME));
}
