import type { Command } from 'commander';
import { addLedgerOptions, jsonOption, lazily } from '../options.js';

/** Background work: failed jobs and recalculation. */
export function addWorkCommands(program: Command): void {
  const jobs = program.command('jobs').description('failed background jobs');
  addLedgerOptions(jobs.command('dead').description('list failed jobs, newest first'))
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../work.js')).printDeadJobs));
  addLedgerOptions(
    jobs.command('retry').argument('<job-id>', 'or `all`').description('retry failed jobs'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../work.js')).retryJobs));
  const accounting = program
    .command('accounting')
    .description('accounting systems that are polled');
  addLedgerOptions(
    accounting.command('connections').description('list connections and what they withhold'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../work.js')).printConnections));
  addLedgerOptions(
    accounting
      .command('release')
      .argument('<connection>', 'its id in the settings')
      .argument('<plan>', 'the plan that it withholds')
      .description('let the next poll apply deletions and changes that are withheld'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../work.js')).releaseConnection));
  const attribution = program.command('attribution').description('model of suggested links');
  addLedgerOptions(
    attribution
      .command('replay')
      .description('relearn the newest models from the logs and compare them'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../work.js')).replayAttribution));
  const liability = program
    .command('liability')
    .description('estimates of what decisions may cost');
  addLedgerOptions(
    liability
      .command('recalculate')
      .description('re-estimate all decisions now instead of at night'),
  )
    .addOption(jsonOption())
    .action(lazily(async () => (await import('../work.js')).recalculateLiability));
}
