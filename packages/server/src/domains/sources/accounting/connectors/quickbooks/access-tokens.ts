import type { ConnectionOf } from '@decision-ledger/contract/accounting';
import { checker } from '@decision-ledger/contract/validation';
import { Type } from 'typebox';
import type { Clock } from '../../../../../platform/clock.js';
import type { Outbound, OutboundAnswer } from '../../../../../platform/outbound.js';
import { ConnectorError, callSystem, parseExactJson } from '../call.js';
import type { RotatingToken } from '../connector.js';

const WHO = "Intuit's token endpoint";
const TOKEN_URL = 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer';
/** A token is renewed this long before it expires. */
const MARGIN_MS = 60_000;

/** Numbers are text here: see parseExactJson. */
const Tokens = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.String({ minLength: 1 }),
  expires_in: Type.String({ pattern: '^\\d{1,9}$' }),
});
const checkTokens = checker(Tokens, 'answer');

export type QuickBooksConnection = ConnectionOf<'quickbooks'>;

interface TokenTools {
  readonly clock: Clock;
  readonly outbound: Outbound;
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
 * Sends the refresh request (RFC 6749, section 6, with the credentials of the app in the header as
 * Intuit documents it). It is never repeated: Intuit accepts a refresh token once.
 */
function exchange(
  { client_id, client_secret, token_url }: QuickBooksConnection,
  outbound: Outbound,
  refreshToken: string,
): Promise<OutboundAnswer> {
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
  return callSystem(outbound, WHO, {
    method: 'POST',
    url: token_url ?? TOKEN_URL,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }).toString(),
  });
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
