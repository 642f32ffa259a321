/** The headers of every answer of the dashboard. No other site may read or frame it. */
const SAFETY = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

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
    'cache-control': 'no-store',
    vary: 'Accept',
  };
}

export function assetHeaders(type: string) {
  return {
    ...SAFETY,
    'content-type': type,
    // An SVG that is opened by itself could otherwise run scripts.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  };
}

/** For a page that is saved and opened by itself: within this site it must not run. */
export function fileHeaders(name: string) {
  return {
    ...SAFETY,
    'content-type': 'text/html; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-cache',
  };
}
