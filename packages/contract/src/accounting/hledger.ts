import { Type } from 'typebox';
import { url } from '../setting-fields.js';
import { describeConnection } from './connection.js';

/** A connection to an hledger-web server. */
export const hledger = describeConnection({
  kind: 'hledger',
  fields: {
    url: url('Address of the hledger-web server.'),
    accounts: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Only these accounts and their subaccounts. Default: the revenue and expense accounts.',
      }),
    ),
  },
  secrets: [],
  urls: ['url'],
});
