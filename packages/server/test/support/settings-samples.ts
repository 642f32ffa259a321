/** The base64 of 24 bytes. */
const BASE64 = Buffer.alloc(24, 0xb5).toString('base64');

export const ALERT_SECRET = `whsec_${BASE64}`;

export const hledger = (fields: Readonly<Record<string, unknown>> = {}) => ({
  id: 'books',
  kind: 'hledger',
  url: 'https://books.example.com/ledger',
  ...fields,
});

export const quickbooks = (fields: Readonly<Record<string, unknown>> = {}) => ({
  id: 'company-1',
  kind: 'quickbooks',
  realm_id: '123145912345678',
  client_id: 'ABclient',
  client_secret: 'quick-client-secret',
  refresh_token: 'quick-refresh-token',
  environment: 'sandbox',
  ...fields,
});

export const stripe = (fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id: 'balance', kind: 'stripe', api_key: 'rk_live_51QxK2eLkdIwHu7ix' },
  ...fields,
});

export const rate = (fields: Readonly<Record<string, unknown>> = {}) => ({
  from: 'EUR',
  to: 'USD',
  date: '2026-04-16',
  rate: '1.0825',
  ...fields,
});
