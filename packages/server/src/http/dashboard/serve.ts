import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { declarePublic } from '../answer-policy.js';
import { sendAsset } from '../static/asset.js';
import { assetHeaders } from '../static/headers.js';
import { prefersHtml } from '../static/negotiate.js';
import type { Http } from '../types.js';
import { type DashboardFiles, NONCE } from './files.js';
import { fileHeaders, pageHeaders } from './policy.js';

/** The addresses of its pages, as in packages/dashboard/src/app/router.tsx. `:id` is any one segment. */
export const PAGES = [
  ...['/', '/sign-in', '/agents', '/agents/:id', '/decisions', '/decisions/:id', '/review'],
  ...['/money', '/exposure', '/evidence', '/activity', '/settings'],
];
const PAGE = new RegExp(`^(?:${PAGES.map((page) => page.replace(':id', '[^/]+')).join('|')})/?$`);
const ASSETS = '/assets/';
const API = '/api/';
const VERIFIER = 'verify.html';

/**
 * Serves the dashboard at paths that are otherwise unknown: its files, the page that checks exports, and its own pages
 * to browsers. A browser at any other path gets the page that says so, with 404. To every other caller all these paths
 * stay unknown, and below the API they are to browsers, too.
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
  if (path.startsWith(ASSETS)) {
    const asset = files.asset(path.slice(ASSETS.length));
    if (asset === undefined) return false;
    declarePublic(reply.raw, 'asset');
    sendAsset(asset, assetHeaders(asset.type), request, reply);
    return true;
  }
  if (path === `/${VERIFIER}`) {
    declarePublic(reply.raw, 'page');
    void reply.headers(fileHeaders(VERIFIER)).send(files.verifier);
    return true;
  }
  if (path.startsWith(API) || !prefersHtml(request.headers.accept)) return false;
  const nonce = randomBytes(16).toString('base64');
  void reply
    .code(PAGE.test(path) ? 200 : 404)
    .headers(pageHeaders(nonce))
    .send(pageAt(files, path).replaceAll(NONCE, nonce));
  return true;
}

/** The page with links to its files that are right behind any prefix, because they are relative. */
function pageAt({ page }: DashboardFiles, path: string): string {
  const folders = path.split('/').length - 2;
  return folders === 0 ? page : page.replaceAll('"./assets/', `"${'../'.repeat(folders)}assets/`);
}
