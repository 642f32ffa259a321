import { checker, queryChecker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Http } from './types.js';

const NOTHING = Type.Object({}, { additionalProperties: false });
const checkQuery = queryChecker(NOTHING);
const checkBody = checker(NOTHING, 'body');

/** Where a route with a key declares no parameters of the query, or no body, it takes none. */
export function addUndeclaredInput(app: Http): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { config, schema } = request.routeOptions;
    if (config.permission !== undefined) {
      if (schema?.querystring === undefined) checkQuery(request.query);
      if (schema?.body === undefined && isJson(request.body)) checkBody(request.body);
    }
    done();
  });
}

/** Not bytes that a route reads for itself. */
function isJson(body: unknown): boolean {
  return body !== undefined && !Buffer.isBuffer(body);
}
