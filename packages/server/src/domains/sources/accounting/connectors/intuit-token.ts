import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Clock } from '../../../../platform/clock.js';
import type { OutboundAnswer } from '../../../../platform/outbound.js';
import { call } from './call.js';
import type { ConnectorTools, QuickBooksConnection } from './connector.js';
import { ConnectorError } from './errors.js';
import { parseExactJson } from './exact-json.js';

const WHO = "Intuit's token endpoint";
/** A token is not used so shortly before it expires. */
const MARGIN_MS = 60_000;

/** Numbers are text here: see exact-json. */
const Tokens = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.String({ minLength: 1 }),
  expires_in: Type.String({ pattern: '^\\d{1,9}$' }),
});
const checkTokens = checker(Tokens, 'answer');

export interface TokenTools extends ConnectorTools {
  readonly clock: Clock;
  /**
   * Keeps a refresh token for good. It is awaited before the access token that came with it is
   * used, since Intuit stops taking the one before.
   */
  readonly saveRefreshToken: (token: string) => Promise<void>;
}

export interface AccessTokens {
  /** The access token in use, a new one where there is none or it is about to expire. */
  current(): Promise<string>;
  /** A new one, whatever the one in use is worth. */
  renewed(): Promise<string>;
}

/** OAuth 2 refresh (RFC 6749 section 6) of a connection, whose refresh tokens rotate. */
export function createAccessTokens(
  connection: QuickBooksConnection,
  tools: TokenTools,
): AccessTokens {
  let refreshToken = connection.refresh_token;
  let savedToken = refreshToken;
  let access: { token: string; expiresAt: number } | null = null;
  // A token that could not be saved is saved at the next try: it is the only one that still works.
  const save = async () => {
    if (savedToken === refreshToken) return;
    await tools.saveRefreshToken(refreshToken);
    savedToken = refreshToken;
  };
  const renewed = async () => {
    access = null;
    await save();
    const answer = readTokens(await exchange(connection, tools, refreshToken));
    refreshToken = answer.refresh_token;
    await save();
    const lifetime = Number(answer.expires_in) * 1000;
    access = { token: answer.access_token, expiresAt: tools.clock.now() + lifetime };
    return access.token;
  };
  const current = async () => {
    if (access === null || access.expiresAt - MARGIN_MS <= tools.clock.now()) return renewed();
    return access.token;
  };
  return { current, renewed };
}

/**
 * Intuit's library writes the request. Its own transport is replaced, which would follow
 * redirects, try again with a used token and reach any address, and whose endpoint is one for the
 * whole process. Its log, which it would write to a file with the tokens in it, is off.
 */
async function exchange(
  connection: QuickBooksConnection,
  tools: ConnectorTools,
  refreshToken: string,
): Promise<OutboundAnswer> {
  // Loaded when first needed: it takes time and memory that no other connection has use for.
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
      outcome.answer = await call(tools, WHO, {
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
    // The library throws for every status but 2xx, and what it throws may quote the answer.
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
    throw refused('Intuit does not know the client_id or its client_secret: enter them anew');
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
    throw refused(`${WHO} sent something else than tokens: check token_url`);
  }
}

function refused(message: string): ConnectorError {
  return new ConnectorError(message, { isTemporary: false });
}
