import type { Decision } from './limiter.js';

/** Rate limit headers of a response. */
export type RateLimitHeaders = Readonly<Record<string, string>>;

/**
 * `RateLimit-Policy` and `RateLimit` as structured fields (draft-ietf-httpapi-ratelimit-headers-10,
 * RFC 9651), and, for a refused request, `Retry-After` in whole seconds (RFC 9110, 10.2.3):
 *
 *     RateLimit-Policy: "ingest";q=100;w=1
 *     RateLimit: "ingest";r=99;t=1
 *
 * `name` is printable ASCII; `windowSeconds` is the window of the limit.
 */
export function rateLimitHeaders(
  name: string,
  decision: Decision,
  windowSeconds = 1,
): RateLimitHeaders {
  const quoted = `"${name.replace(/["\\]/g, '\\$&')}"`;
  const headers = {
    'RateLimit-Policy': `${quoted};q=${decision.limit};w=${windowSeconds}`,
    RateLimit: `${quoted};r=${decision.remaining};t=${decision.resetSeconds}`,
  };
  if (decision.allowed) return headers;
  return { ...headers, 'Retry-After': String(decision.retryAfterSeconds) };
}
