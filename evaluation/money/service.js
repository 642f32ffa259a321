import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_FLAGS, startServer } from '../../benchmarks/support/children.js';
import {
  folderEnvironment,
  PROGRAM,
  raiseLimits,
  startOnPostgres,
  temporaryFolder,
} from '../../benchmarks/support/service.js';
import { startPostgres } from '../../packages/server/test/support/postgres-server.js';
import { RESTRICTED, startAccount } from './account-server.js';
import { BASE } from './currencies.js';
import { startHledger } from './hledger.js';

/** The connections to the journal and to the balance at Stripe. */
export const BOOKS = 'books';
export const BALANCE = 'balance';
const SECRET = 'whsec_evaluation_of_money';
const LONG = 86_400;
/** A request that the service refuses for load is sent again, as its documentation says. */
const TRIES = 60;
/** Books and balance are on this machine. */
const SETTINGS = { LEDGER_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1' };

/**
 * A new service that knows the rates, Stripe's secret and balance, and the books.
 * @param {Pick<import('./business.js').Business, 'rates' | 'account'>} business
 * @param {{ engine: string }} options engine: postgres or embedded
 */
export async function startService(business, { engine }) {
  const server = await (engine === 'postgres' ? startOnServer() : startEmbedded());
  const connected = await connect(server, business);
  return {
    ...connected,
    async stop() {
      await connected.stop();
      await server.stop();
    },
  };
}

/**
 * A ledger with books and a balance at Stripe of its own.
 * @param {{ url: string, key: string }} server key: of the ledger
 * @param {Pick<import('./business.js').Business, 'rates' | 'account'>} business
 */
export async function connect(server, { rates, account: content }) {
  const api = createApi(server.url, server.key);
  const [books, account] = [await startHledger(), await startAccount(content)];
  const poll = { poll_seconds: LONG };
  const accounting = [
    { id: BOOKS, kind: 'hledger', url: books.url, ...poll },
    { id: BALANCE, kind: 'stripe', api_key: RESTRICTED, api_url: account.url, ...poll },
  ];
  const stripe = { signing_secrets: [SECRET] };
  await api.patch('/settings', { base_currency: BASE, exchange_rates: rates, stripe, accounting });
  const webhook = await api.post('/keys', { name: 'stripe', permissions: ['webhook'] });
  return {
    ...{ api, books, account, secret: SECRET },
    webhook: `${server.url}/api/v1/financial-events/webhook/stripe?key=${webhook.key}`,
    async stop() {
      await books.stop();
      await account.stop();
    },
  };
}

async function startEmbedded() {
  const folder = temporaryFolder();
  const environment = { ...folderEnvironment(folder.path), ...SETTINGS };
  const { url, stop } = await startServer([...NODE_FLAGS, PROGRAM, 'serve'], environment);
  const { live: key } = JSON.parse(readFileSync(join(folder.path, 'keys.json'), 'utf8'));
  await raiseLimits(url, key);
  return {
    ...{ url, key },
    async stop() {
      await stop();
      folder.remove();
    },
  };
}

/** Nothing is to survive a crash. */
const VOLATILE = { shared_buffers: '512MB', fsync: 'off', synchronous_commit: 'off' };

async function startOnServer() {
  const { service, stop } = await startShared();
  return { url: service.url, key: await service.createOrganisation('Company'), stop };
}

/** A service for many organisations. */
export async function startShared() {
  const postgres = await startPostgres({ settings: VOLATILE });
  const service = await startOnPostgres(postgres, { settings: SETTINGS });
  return {
    service,
    async stop() {
      await service.stop();
      await postgres.stop();
    },
  };
}

/** @typedef {ReturnType<typeof createApi>} Api */

/**
 * Only what the description of the interface offers to everybody.
 * @param {string} url
 * @param {string} key
 */
function createApi(url, key) {
  const call = async (method, path, body, headers = {}, tries = 1) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-ledger-key': key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data, error } = await answer.json();
    if (answer.ok) return data;
    if (answer.status === 503 && tries < TRIES) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return call(method, path, body, headers, tries + 1);
    }
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(error)}`);
  };
  const get = (path) => call('GET', path);
  return {
    get,
    post: (path, body = {}, headers = {}) => call('POST', path, body, headers),
    patch: (path, body) =>
      call('PATCH', path, body, { 'content-type': 'application/merge-patch+json' }),
    /**
     * All pages of a list.
     * @param {string} path
     * @param {string} member the member of the answer that holds the items
     */
    async all(path, member) {
      const items = [];
      const more = path.includes('?') ? '&' : '?';
      let cursor = '';
      do {
        const page = await get(`${path}${more}limit=500${cursor}`);
        items.push(...page[member]);
        cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
      } while (cursor !== '');
      return items;
    },
  };
}
