import { LedgerError } from '@decision-ledger/contract/errors';
import type { Http } from './types.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** Answers 405 with `Allow` wherever the path is known and the method is not. */
export function addMethodNotAllowed(app: Http): (routes: Http) => void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    methodsOf.set(url, methods);
  });
  return (routes) => {
    for (const [url, methods] of [...methodsOf]) {
      const allow = [...methods].sort().join(', ');
      routes.route({
        method: METHODS.filter((method) => !methods.has(method)),
        url,
        // Before the body is looked at: whatever it holds, the answer is the same.
        onRequest: (_request, _reply, done) => {
          done(
            new LedgerError('method_not_allowed', `this path takes ${allow}`, {
              headers: { allow },
            }),
          );
        },
        handler: () => undefined,
      });
    }
  };
}
