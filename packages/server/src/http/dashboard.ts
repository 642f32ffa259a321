import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { declarePublic } from './answer-policy.js';
import {
  type Asset,
  assetHeaders,
  prefersHtml,
  readAsset,
  SAFETY,
  sendAsset,
} from './static-files.js';
import type { Http } from './types.js';

interface DashboardFiles {
  /** The page, with NONCE where the nonce of a response goes. */
  readonly page: string;
  /** The page that checks exports offline. */
  readonly verifier: Buffer;
  /** By the name below /assets/, which contains a hash of the content. */
  asset(name: string): Asset | undefined;
}

const NONCE = '__NONCE__';

/**
 * The built dashboard. Each file is read when it is first asked for, and kept in memory.
 * @param folder absolute path
 * @returns null if the dashboard was not built
 */
export function openDashboard(folder: string): DashboardFiles | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const assets = join(folder, 'assets');
  const names = new Set(readdirSync(assets));
  const read = new Map<string, Asset>();
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    verifier: readFileSync(join(folder, 'verify.html')),
    asset(name) {
      const asset = read.get(name) ?? readAsset(assets, name, names);
      if (asset !== undefined) read.set(name, asset);
      return asset;
    },
  };
}

/** @param nonce of this response alone: the style elements of the page carry it */
function pageHeaders(nonce: string) {
  return {
    ...SAFETY,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ].join('; '),
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/** For a page that is saved and opened by itself: within this site it must not run. */
function fileHeaders(name: string) {
  return {
    ...SAFETY,
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
}

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
