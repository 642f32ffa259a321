import { checker, queryChecker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Http } from './types.js';

const NOTHING = Type.Object({}, { additionalProperties: false });
const checkQuery = queryChecker(NOTHING);
const checkBody = checker(NOTHING, 'body');

/**
 * Refuses query parameters and bodies on authenticated routes that declare none. An absent optional body
 * becomes an empty object.
 */
export function addUndeclaredInput(app: Http): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { config, schema } = request.routeOptions;
    if (config.permission !== undefined) {
      if (schema?.querystring === undefined) checkQuery(request.query);
      if (schema?.body === undefined && isJson(request.body)) checkBody(request.body);
      if (config.hasOptionalBody === true) request.body ??= {};
    }
    done();
  });
}

/** Whether the body was parsed; some routes read its bytes themselves. */
function isJson(body: unknown): boolean {
  return body !== undefined && !Buffer.isBuffer(body);
}
