import { SAFETY } from '../static/headers.js';

/** @param nonce of this response alone: the style elements of the page carry it */
export function pageHeaders(nonce: string) {
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
export function fileHeaders(name: string) {
  return {
    ...SAFETY,
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
}
