import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { declarePublic } from './answer-policy.js';
import { type Asset, assetHeaders, readAsset, SAFETY, sendAsset } from './static-files.js';
import type { Http } from './types.js';

/** A file of the site, and the tag by which a browser asks whether its copy is still the same. */
export interface SiteFile {
  readonly asset: Asset;
  readonly tag: string;
}

interface Site {
  /** @param path below the root of the site, such as `start/finance.html` */
  file(path: string): SiteFile | undefined;
}

/**
 * The built documentation. Each file is read when it is first asked for, and kept in memory.
 * @param folder absolute path
 * @returns null if it was not built
 */
export function openSite(folder: string): Site | null {
  if (!existsSync(join(folder, 'index.html'))) return null;
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = new Set(entries.map((name) => name.replaceAll('\\', '/')));
  const read = new Map<string, SiteFile>();
  return {
    file(path) {
      const kept = read.get(path);
      if (kept !== undefined) return kept;
      const asset = readAsset(folder, path, names);
      if (asset === undefined) return undefined;
      const file = { asset, tag: tagOf(asset.bodies.identity) };
      read.set(path, file);
      return file;
    },
  };
}

/** Weak, because the same page is sent in several encodings. */
function tagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`;
}

const ROOT = '/docs';
const ASSETS = 'assets/';

/** Nothing inline, and nothing from another host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Serves the documentation below /docs, to everybody: it is the same in every installation. */
export function addDocumentation(app: Http, site: Site): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isSent = request.is404 && isRead && send(site, request, reply);
    if (!isSent) done();
  });
}

/** @returns whether the request was answered */
function send(site: Site, request: FastifyRequest, reply: FastifyReply): boolean {
  const [path = ''] = request.url.split('?', 1);
  if (path === ROOT) {
    // The links of the pages are relative to the folder.
    redirect('docs/', reply);
    return true;
  }
  if (!path.startsWith(`${ROOT}/`)) return false;
  const name = path.slice(ROOT.length + 1);
  const file = site.file(name === '' || name.endsWith('/') ? `${name}index.html` : name);
  if (file === undefined) {
    if (site.file(`${name}.html`) === undefined) return false;
    redirect(`${name.slice(name.lastIndexOf('/') + 1)}.html`, reply);
    return true;
  }
  if (name.startsWith(ASSETS)) {
    declarePublic(reply.raw, 'asset');
    sendAsset(file.asset, assetHeaders(file.asset.type), request, reply);
    return true;
  }
  declarePublic(reply.raw, 'page');
  if (request.headers['if-none-match']?.includes(file.tag) === true) {
    void reply.headers(pageHeaders(file.tag)).code(304).send();
    return true;
  }
  const headers = { ...pageHeaders(file.tag), 'content-type': file.asset.type };
  sendAsset(file.asset, headers, request, reply);
  return true;
}

/** @param location relative, so that it is right behind any prefix */
function redirect(location: string, reply: FastifyReply): void {
  void reply
    .headers({ ...SAFETY, location })
    .code(308)
    .send();
}

function pageHeaders(tag: string) {
  return {
    ...SAFETY,
    'content-security-policy': POLICY,
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    etag: tag,
  };
}
