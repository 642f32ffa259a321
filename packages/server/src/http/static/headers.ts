/** The headers of every file that the service sends to browsers. No other site may read or frame it. */
export const SAFETY = {
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** For files whose name contains a hash of their content. */
export function assetHeaders(type: string) {
  return {
    ...SAFETY,
    'content-type': type,
    // An SVG that is opened by itself could otherwise run scripts.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
}
