import type { Outbound } from '#server/platform/outbound';

/** Node's fetch without checks of addresses. */
export const testOutbound: Outbound = async ({ method, url, headers, body, timeoutMs }) => {
  const answer = await fetch(url, {
    method,
    ...(headers === undefined ? {} : { headers: { ...headers } }),
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(timeoutMs ?? 10_000),
    redirect: 'error',
  });
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: await answer.text(),
  };
};
