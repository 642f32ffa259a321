import type { Command } from 'commander';
import { addLedgerOptions, json, lazily } from '../options.js';

/** Background work: what was given up, and what can be worked out again. */
export function addWorkCommands(program: Command): void {
  const jobs = program.command('jobs').description('background work that was given up');
  addLedgerOptions(jobs.command('dead').description('list it, newest first'))
    .addOption(json())
    .action(lazily(async () => (await import('../jobs.js')).printDeadJobs));
  addLedgerOptions(
    jobs.command('retry').argument('<job-id>', 'or `all`').description('have it tried again'),
  )
    .addOption(json())
    .action(lazily(async () => (await import('../jobs.js')).retryJobs));
  const attribution = program
    .command('attribution')
    .description('what suggested links are made with');
  addLedgerOptions(
    attribution
      .command('replay')
      .description('recompute what reviews taught, and correct differences'),
  )
    .addOption(json())
    .action(lazily(async () => (await import('../attribution.js')).replayAttribution));
  const liability = program.command('liability').description('what decisions could cost');
  addLedgerOptions(
    liability
      .command('recalculate')
      .description('re-estimate all decisions now instead of tonight'),
  )
    .addOption(json())
    .action(lazily(async () => (await import('../liability.js')).recalculateLiability));
}
