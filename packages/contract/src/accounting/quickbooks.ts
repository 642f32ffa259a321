import { Type } from 'typebox';
import { printable, secret, url, Word } from '../setting-fields.js';
import { describeConnection } from './connection.js';

/** A connection to a QuickBooks Online company. */
export const quickbooks = describeConnection({
  kind: 'quickbooks',
  fields: {
    realm_id: Type.String({ ...Word, description: 'ID of the company.' }),
    client_id: Type.String({
      pattern: String.raw`^[\x21-\x7e]{1,200}$`,
      description: 'Client ID of the app.',
      'x-problem': 'must be 1 to 200 ASCII characters without spaces',
    }),
    client_secret: secret(printable(500), 'Client secret of the app.'),
    refresh_token: secret(printable(1000), 'The OAuth 2.0 refresh token.'),
    environment: Type.Enum(['sandbox', 'production'], {
      description: 'The environment of the company.',
    }),
    api_url: Type.Optional(url('Address of the API. Default: the address of the environment.')),
    token_url: Type.Optional(url('Address of the token endpoint. Default: the address of Intuit.')),
  },
  secrets: ['client_secret', 'refresh_token'],
  urls: ['api_url', 'token_url'],
});
