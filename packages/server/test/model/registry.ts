import type { Call } from './call.js';
import * as access from './commands/access.js';
import * as background from './commands/background.js';
import * as evidence from './commands/evidence.js';
import * as money from './commands/money.js';
import * as record from './commands/record.js';
import * as sources from './commands/sources.js';
import * as uploads from './commands/uploads.js';
import { type Operation, writes } from './description.js';

export type Command = (call: Call) => Promise<void>;

/** A command for each operation that writes, by its id in the description of the API. */
const OPERATIONS: Readonly<Record<string, Command>> = {
  answerReview: money.answerReview,
  appendToUpload: uploads.appendToUpload,
  changeSettings: access.changeSettings,
  confirmLink: money.confirmLink,
  createLink: money.createLink,
  createUpload: uploads.createUpload,
  deleteFinancialEvent: money.deleteFinancialEvent,
  deleteLink: money.deleteLink,
  downloadExport: evidence.downloadExport,
  eraseDecisionFields: record.eraseDecisionFields,
  exportLogs: sources.exportLogs,
  exportMetrics: sources.exportMetrics,
  exportTraces: sources.exportTraces,
  getDecisionProof: evidence.getDecisionProof,
  issueKey: access.issueKey,
  issueStreamTicket: access.issueStreamTicket,
  openSession: access.openSession,
  pairReports: money.pairReports,
  partReport: money.partReport,
  pollAccountingConnection: sources.pollAccountingConnection,
  presentDecision: evidence.presentDecision,
  receiveStripeEvent: sources.receiveStripeEvent,
  recordDecision: record.recordDecision,
  recordDecisions: record.recordDecisions,
  recordFinancialEvent: money.recordFinancialEvent,
  rejectLink: money.rejectLink,
  releaseAccountingPlan: sources.releaseAccountingPlan,
  requestExport: evidence.requestExport,
  retryJob: sources.retryJob,
  revokeKey: access.revokeKey,
  revokeSession: access.revokeSession,
  verifyActivityChain: evidence.verifyActivityChain,
  verifyDecisionChain: evidence.verifyDecisionChain,
  withdrawReview: money.withdrawReview,
  withdrawSameMoney: money.withdrawSameMoney,
};

/** What happens beside the calls, and may change every ledger. */
const BACKGROUND: Readonly<Record<string, Command>> = {
  night: background.night,
  rotateSigningKey: background.rotateSigningKey,
  watch: background.watch,
  work: background.work,
};

/** What changes no ledger. */
const IDLE: Readonly<Record<string, Command>> = {
  rebuild: background.rebuild,
  breakFollower: background.breakFollower,
  mendFollower: background.mendFollower,
  restart: background.restart,
  wait: background.wait,
};

const COMMANDS = { ...OPERATIONS, ...BACKGROUND, ...IDLE };

/** Runs a command. Ledgers that it is not about must stay as they are. */
export async function runCommand(name: string, call: Call): Promise<void> {
  const command = COMMANDS[name];
  if (command === undefined) throw new Error(`there is no command ${name}`);
  const { world, ledger } = call;
  const changing = name in IDLE ? [] : name in BACKGROUND ? world.ledgers : [ledger];
  await world.begin(changing);
  await command(call);
}

/** How often a command is drawn, where it is not once: others need what these make. */
const WEIGHTS: Readonly<Record<string, number>> = {
  ...{ recordDecision: 4, recordDecisions: 2, recordFinancialEvent: 5, createLink: 3 },
  ...{ pairReports: 4, partReport: 2, deleteFinancialEvent: 2 },
  ...{ answerReview: 4, withdrawReview: 2, confirmLink: 2, rejectLink: 2, work: 4, night: 2 },
};

/** The names of the commands, each as often as it is to be drawn. */
export const DRAWN: readonly string[] = Object.keys(COMMANDS).flatMap((name) =>
  Array.from({ length: WEIGHTS[name] ?? 1 }, () => name),
);

/** What is missing for the operations of the description, in words that say what to do. */
export function lackingCommands(operations: ReadonlyMap<string, Operation>): string[] {
  const lacking = [...operations.values()]
    .filter((operation) => writes(operation) && !(operation.id in OPERATIONS))
    .map(
      ({ id, method, path }) =>
        `${method} ${path}: write a command ${id} in packages/server/test/model/commands and list it in registry.ts`,
    );
  const gone = Object.keys(OPERATIONS)
    .filter((id) => !operations.has(id))
    .map((id) => `${id} is no operation any more: remove its command from registry.ts`);
  return [...lacking, ...gone];
}
