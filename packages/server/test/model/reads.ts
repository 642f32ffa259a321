import { ExportPage } from '@decision-ledger/contract/export';
import { Log } from '@decision-ledger/contract/transparency';
import { expect } from 'vitest';
import { uuidToId } from '#server/platform/ids';
import { type Client, dataOf } from '../support/client.js';
import { ask, type Request } from './ask.js';
import type { Operation } from './description.js';
import type { Ledger } from './ledger.js';
import type { World } from './world.js';

/** What there is to read of a ledger; an id that nothing has where there is nothing. */
interface Known {
  readonly ledger: string;
  readonly decision: string;
  readonly event: string;
  /** Whether some event is not deleted. */
  readonly hasEvents: boolean;
  readonly link: string;
  readonly exported: string;
  readonly upload: string;
  /** Records of its activity that a checkpoint covers. */
  readonly size: number;
}

interface Read extends Request {
  /** Default: 200. */
  readonly statuses?: readonly number[];
  /** What the data must contain. */
  readonly data?: object;
}

const UNKNOWN = '01h455vb4pex5vsknk084sn02q';

const plain = (): Read => ({});
const list = (): Read => ({ query: '?limit=50' });
const isUnknown = (id: string) => id.endsWith(UNKNOWN);

const one = (id: string, query = ''): Read => ({
  ...{ path: { id }, query },
  statuses: isUnknown(id) ? [404] : [200],
});

/** Logs are not public by default. */
const ofPublic = (read: Request): Read => ({ ...read, statuses: [404] });

/** The log of its activity, which begins with the first export. */
const chain = 'activity';
const tile = (size: number) => `entries/000.p/${size}`;
const toEnd = (size: number) => `?first=1&second=${size}`;

/** How each operation that reads is called, by its id in the description of the API. */
const READS: Readonly<Record<string, (known: Known) => Read>> = {
  ...{ getVersion: plain, getHealth: plain, getReadiness: plain, getMetrics: plain },
  ...{ getOpenApi: plain, getAsyncApi: plain },
  downloadExport: ({ exported }) => one(exported),
  downloadUpload: ({ decision }) => ({
    ...{ path: { id: decision, field: 'inputs' }, statuses: [404] },
  }),
  // An event that was deleted before it was scored makes none.
  getAttributionModel: ({ hasEvents }) => (hasEvents ? {} : { statuses: [200, 404] }),
  getAttributionQuality: plain,
  checkBudgets: () => ({ query: '?agent_id=a&action_type=refund' }),
  getRunningCost: plain,
  listBudgets: plain,
  getCheckpoint: () => ({ path: { chain } }),
  getConsistency: ({ size }) => ({ path: { chain }, query: toEnd(size) }),
  getDecision: ({ decision }) => one(decision),
  getDecisionProof: ({ decision }) => one(decision),
  getExperiment: () => ({
    ...{ path: { id: 'e' }, query: '?horizon_days=1&comparison=a', statuses: [200, 404, 422] },
  }),
  explainCause: ({ event, decision }) => ({
    ...{ path: { id: event }, query: `?decision_id=${decision}` },
    statuses: isUnknown(event) || isUnknown(decision) ? [404] : [200],
  }),
  getExport: ({ exported }) => one(exported),
  getExposure: () => ({ query: '?top=5' }),
  getFinancialEvent: ({ event }) => one(event),
  getLastVerification: plain,
  getLiabilityBacktest: plain,
  getLiabilityModel: () => ({ query: '?action_type=refund' }),
  getLink: ({ link }) => one(link),
  getLog: () => ({ path: { chain } }),
  getMe: plain,
  getPnl: () => ({ query: '?group_by=customer' }),
  getPublicCheckpoint: ({ ledger }) => ofPublic({ path: { ledger, chain } }),
  getPublicConsistency: ({ ledger, size }) =>
    ofPublic({ path: { ledger, chain }, query: toEnd(size) }),
  getPublicTile: ({ ledger }) => ofPublic({ path: { ledger, chain, path: tile(1) } }),
  getSettings: plain,
  getTile: ({ size }) => ({ path: { chain, path: tile(size) } }),
  // It is deleted after a day.
  getUpload: ({ upload }) => ({ path: { id: upload }, statuses: [200, 404] }),
  getTimeline: () => ({ query: '?bucket=month&group_by=agent' }),
  listAccountingConnections: plain,
  listActivity: list,
  listAgents: list,
  listClosedMonths: list,
  listDeadJobs: list,
  listDecisions: list,
  listExperiments: list,
  listExportCustody: ({ exported }) => one(exported, '?limit=50'),
  listExports: list,
  listExposureRows: list,
  listFollowers: plain,
  listFinancialEvents: () => ({ query: '?limit=50&include_deleted=true' }),
  listGivenAnswers: () => ({ query: '?limit=50&start=2000-01-01' }),
  listKeys: list,
  listLiabilityEstimates: ({ decision }) => one(decision, '?limit=50'),
  listLinks: () => ({ query: '?limit=50&include_deleted=true' }),
  listPnlRows: list,
  listReviews: list,
  listSameMoney: list,
  listSessions: list,
  listSigningKeys: list,
  listSpanGroups: plain,
  // A request without an upgrade.
  openStream: () => ({ statuses: [400] }),
  search: () => ({ query: '?q=C-1&limit=50' }),
  verifyActivityChain: () => ({
    data: { is_valid: true, reconciliation: { is_reconciled: true, findings: [] } },
  }),
  verifyDecisionChain: () => ({ data: { is_valid: true } }),
};

/** What is missing for the operations of the description, in words that say what to do. */
export function lackingReads(operations: ReadonlyMap<string, Operation>): string[] {
  const lacking = [...operations.values()]
    .filter(({ id, method }) => method === 'GET' && !(id in READS))
    .map(({ id, path }) => `GET ${path}: say how ${id} is called in READS of reads.ts`);
  const gone = Object.keys(READS)
    .filter((id) => operations.get(id)?.method !== 'GET')
    .map((id) => `${id} reads nothing any more: remove it from READS of reads.ts`);
  return [...lacking, ...gone];
}

/**
 * Every operation that reads answers by its schema, and shows nothing of another ledger.
 * @param owners the ledger of each id that was shown before
 */
export async function expectReads(
  world: World,
  ledger: Ledger,
  owners: Map<string, string>,
): Promise<void> {
  const known = await knownOf(world.client(ledger), ledger);
  const [first] = world.ledgers;
  for (const [id, readOf] of Object.entries(READS)) {
    const isOfLedger = world.operations.get(id)?.path.startsWith(OF_LEDGERS) === true;
    if (!isOfLedger && ledger !== first) continue;
    const { statuses = [200], data, headers, ...request } = readOf(known);
    const answer = await ask(world, id, {
      ...request,
      headers: { ...ledger.root.headers, ...headers },
    });
    expect(statuses, `${id} of ${ledger.name}: ${answer.text}`).toContain(answer.status);
    if (data !== undefined) expect(JSON.parse(answer.text), answer.text).toMatchObject({ data });
    if (!isOfLedger) continue;
    for (const [shown] of answer.text.matchAll(OWN)) {
      const owner = owners.get(shown) ?? ledger.name;
      expect(owner, `${id} of ${ledger.name} shows ${shown}`).toBe(ledger.name);
      owners.set(shown, owner);
    }
  }
}

/** Paths of what depends on the caller. */
const OF_LEDGERS = '/api/v1/';

/** Ids of what only one ledger has. Sessions may be named in both modes: the signing key is that of the organisation. */
const OWN = /\b(?:act|dec|evt|exp|job|lnk)_(?!01h455vb4pex5vsknk084sn02q)[0-9a-z]{26}\b/g;

async function knownOf(client: Client, ledger: Ledger): Promise<Known> {
  const { checkpoint } = dataOf(await client.get(`/log/${chain}`), Log);
  const complete = await client.get('/exports?status=complete&limit=1');
  const { exports } = dataOf(complete, ExportPage);
  const last = (prefix: string, ids: Iterable<string>) => [...ids].at(-1) ?? `${prefix}_${UNKNOWN}`;
  return {
    ledger: uuidToId('led', ledger.scope.ledgerId),
    decision: last('dec', ledger.decisions.keys()),
    event: last('evt', ledger.events.keys()),
    hasEvents: [...ledger.events.values()].some(({ isDeleted }) => !isDeleted),
    link: last('lnk', ledger.links.keys()),
    exported: last(
      'exp',
      exports.map(({ export_id }) => export_id),
    ),
    upload: last('upl', ledger.uploads.keys()),
    size: checkpoint.size,
  };
}
