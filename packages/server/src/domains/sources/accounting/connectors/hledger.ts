import { call } from './call.js';
import type { Connector, ConnectorTools, HledgerConnection, Poll } from './connector.js';
import { ConnectorError } from './errors.js';
import { readTransactions } from './hledger-answer.js';
import { identify } from './hledger-identity.js';
import { readMovements } from './hledger-movements.js';

const WHO = 'hledger-web';

/**
 * Reads a journal through the JSON API of hledger-web (`hledger-web --serve-api`, 1.25 or newer).
 * It has no list of changes, so that each poll reads the whole journal and is complete. The cursor
 * holds which postings with a code had which content (see hledger-identity).
 */
export function createHledgerConnector(
  connection: HledgerConnection,
  tools: ConnectorTools,
): Connector {
  return { poll: (cursor) => poll(connection, tools, cursor) };
}

async function poll(
  { url, accounts }: HledgerConnection,
  tools: ConnectorTools,
  before: string | null,
): Promise<Poll> {
  const answer = await call(tools, WHO, {
    method: 'GET',
    url: endpoint(url),
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) {
    const remedy = 'check that url is the address of hledger-web --serve-api';
    throw new ConnectorError(`${WHO} answered with status ${answer.status}: ${remedy}`, {
      isTemporary: false,
    });
  }
  const { movements, problems } = readMovements(readTransactions(answer.body), accounts);
  return { ...identify(movements, before), isComplete: true, problems };
}

/** `transactions` below the base address, which may have a path of its own. */
function endpoint(base: string): string {
  if (!URL.canParse(base)) {
    throw new ConnectorError('url is no address: enter one such as http://127.0.0.1:5000', {
      isTemporary: false,
    });
  }
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/transactions`;
  return url.href;
}
