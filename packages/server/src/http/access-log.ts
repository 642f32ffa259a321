import type { FastifyRequest } from 'fastify';
import { redactUrl } from './redact-url.js';
import type { Http } from './types.js';

/** The loggable part of a request: no headers, and no key in the URL. */
function requestForLog(request: FastifyRequest) {
  return { method: request.method, url: redactUrl(request.url), ip: request.ip };
}

/** Logs one line per response. */
export function addAccessLog(app: Http): void {
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info({ ...requestForLog(request), status: reply.statusCode, ms }, 'answered');
    done();
  });
}
