import { Type } from 'typebox';
import { printable, secret, url, Word } from '../setting-fields.js';
import { describeConnection } from './connection.js';

/** A connection to a QuickBooks Online company. */
export const quickbooks = describeConnection({
  kind: 'quickbooks',
  fields: {
    realm_id: Type.String({ ...Word, description: 'The company.' }),
    client_id: Type.String({
      pattern: String.raw`^[\x21-\x7e]{1,200}$`,
      description: 'The app.',
      'x-problem': 'must be 1 to 200 characters of ASCII without spaces',
    }),
    client_secret: secret(printable(500), 'The secret of the app.'),
    refresh_token: secret(printable(1000), 'The OAuth 2.0 refresh token.'),
    environment: Type.Enum(['sandbox', 'production'], { description: 'Where the company is.' }),
    api_url: Type.Optional(url('Address of the API, where it is not that of the environment.')),
    token_url: Type.Optional(url('Address of the token endpoint, where it is not the usual one.')),
  },
  secrets: ['client_secret', 'refresh_token'],
  urls: ['api_url', 'token_url'],
});
