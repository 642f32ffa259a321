import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Http } from '../types.js';
import { type DashboardFiles, NONCE } from './files.js';
import { encodingsOf, prefersHtml } from './negotiate.js';
import { assetHeaders, fileHeaders, pageHeaders } from './policy.js';

/** The addresses of its pages, as in packages/dashboard/src/app/router.tsx. `:id` is any one segment. */
const PAGES = [
  ...['/', '/sign-in', '/agents', '/agents/:id', '/decisions', '/decisions/:id', '/review'],
  ...['/money', '/exposure', '/evidence', '/activity', '/settings'],
];
const PAGE = new RegExp(`^(?:${PAGES.map((page) => page.replace(':id', '[^/]+')).join('|')})/?$`);
const ASSETS = '/assets/';
const VERIFIER = 'verify.html';

/**
 * Serves the dashboard at paths that are otherwise unknown: its files, the page that checks exports, and
 * its own pages to browsers. To every other caller the paths of pages stay unknown.
 */
export function addDashboard(app: Http, files: DashboardFiles): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isSent = request.is404 && isRead && send(files, request, reply);
    if (!isSent) done();
  });
}

/** @returns whether the request was answered */
function send(files: DashboardFiles, request: FastifyRequest, reply: FastifyReply): boolean {
  const [path = ''] = request.url.split('?', 1);
  if (path.startsWith(ASSETS)) return sendAsset(files, path.slice(ASSETS.length), request, reply);
  if (path === `/${VERIFIER}`) {
    void reply.headers(fileHeaders(VERIFIER)).send(files.verifier);
    return true;
  }
  if (!PAGE.test(path)) return false;
  if (!prefersHtml(request.headers.accept)) {
    void reply.header('vary', 'Accept');
    return false;
  }
  const nonce = randomBytes(16).toString('base64');
  void reply.headers(pageHeaders(nonce)).send(files.page.replaceAll(NONCE, nonce));
  return true;
}

function sendAsset(
  files: DashboardFiles,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const asset = files.asset(name);
  if (asset === undefined) return false;
  const encodings = encodingsOf(String(request.headers['accept-encoding'] ?? ''));
  const encoding = encodings.find((one) => asset.bodies[one] !== undefined) ?? 'identity';
  void reply.headers(assetHeaders(asset.type));
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  void reply.send(asset.bodies[encoding]);
  return true;
}
