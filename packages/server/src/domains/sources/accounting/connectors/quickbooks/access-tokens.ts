import type { ConnectionOf } from '@decision-ledger/contract/accounting/kinds';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Clock } from '../../../../../platform/clock.js';
import type { Outbound, OutboundAnswer } from '../../../../../platform/outbound.js';
import { call } from '../call.js';
import type { RotatingToken } from '../connector.js';
import { ConnectorError } from '../errors.js';
import { parseExactJson } from '../exact-json.js';

const WHO = "Intuit's token endpoint";
/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;

/** Numbers are text here: see exact-json. */
const Tokens = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.String({ minLength: 1 }),
  expires_in: Type.String({ pattern: '^\\d{1,9}$' }),
});
const checkTokens = checker(Tokens, 'answer');

type QuickBooksConnection = ConnectionOf<'quickbooks'>;

interface TokenTools {
  readonly outbound: Outbound;
  readonly clock: Clock;
  /** Saved before the access token is used, because Intuit accepts a refresh token once. */
  readonly refreshToken: RotatingToken;
}

export interface AccessTokens {
  /** The current access token, renewed if it is about to expire. */
  current(): Promise<string>;
  /** A new access token, even if the current one has not expired. */
  renewed(): Promise<string>;
}

/** OAuth 2 refresh (RFC 6749, section 6) of a connection whose refresh tokens rotate. */
export function createAccessTokens(
  connection: QuickBooksConnection,
  { outbound, clock, refreshToken: stored }: TokenTools,
): AccessTokens {
  let refreshToken = stored.newest();
  let savedToken = refreshToken;
  let access: { token: string; expiresAt: number } | null = null;
  // A token that could not be saved is saved before the next exchange: no other one works.
  const save = async () => {
    if (savedToken === refreshToken) return;
    await stored.save(refreshToken);
    savedToken = refreshToken;
  };
  const renewed = async () => {
    access = null;
    await save();
    const answer = readTokens(await exchange(connection, outbound, refreshToken));
    refreshToken = answer.refresh_token;
    await save();
    const lifetime = Number(answer.expires_in) * 1000;
    access = { token: answer.access_token, expiresAt: clock.now() + lifetime };
    return access.token;
  };
  const current = async () => {
    if (access === null || access.expiresAt - MARGIN_MS <= clock.now()) return renewed();
    return access.token;
  };
  return { current, renewed };
}

/**
 * Intuit's library writes the request. Its transport is replaced, because it follows redirects,
 * retries with a used token, reaches any address and has one endpoint for the whole process. Its log
 * is off, because it writes tokens to a file.
 */
async function exchange(
  connection: QuickBooksConnection,
  outbound: Outbound,
  refreshToken: string,
): Promise<OutboundAnswer> {
  // Loaded on first use: it takes time and memory, and other connections do not need it.
  const { default: OAuthClient } = await import('intuit-oauth');
  const client = new OAuthClient({
    clientId: connection.client_id,
    clientSecret: connection.client_secret,
    environment: connection.environment,
    redirectUri: '',
    logging: false,
  });
  const outcome: { answer?: OutboundAnswer; error?: unknown } = {};
  client.loadResponse = async (request: TokenRequest) => {
    try {
      outcome.answer = await call(outbound, WHO, {
        method: 'POST',
        url: connection.token_url ?? request.url,
        headers: request.headers,
        body: new URLSearchParams(request.data).toString(),
      });
    } catch (error) {
      outcome.error = error;
      throw error;
    }
    return { status: outcome.answer.status, headers: {}, data: null };
  };
  try {
    await client.refreshUsingToken(refreshToken);
  } catch (error) {
    // The library throws for every status but 2xx, and its error may quote the answer.
    if (outcome.error !== undefined) throw outcome.error;
    if (outcome.answer === undefined) throw error;
  }
  if (outcome.answer === undefined) throw new Error('the token request was never sent');
  return outcome.answer;
}

interface TokenRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly data: Record<string, string>;
}

function readTokens({ status, body }: OutboundAnswer) {
  if (status === 401) {
    throw refused('Intuit does not accept the client_id and client_secret: enter them again');
  }
  if (status < 200 || status > 299) {
    throw refused(
      `Intuit no longer accepts the refresh_token (status ${status}): connect the company again ` +
        'and enter the new refresh_token',
    );
  }
  const answer = parseExactJson(body, WHO);
  try {
    return checkTokens(answer);
  } catch {
    throw refused(`${WHO} did not send tokens: check token_url`);
  }
}

function refused(message: string): ConnectorError {
  return new ConnectorError(message, { isTemporary: false });
}
