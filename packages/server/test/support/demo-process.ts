import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import { type Environment, type RunningCommand, startCommand } from './service-process.js';
import { until } from './webhooks.js';

/** A year of this size is prepared in some seconds, once for all tests of a build. */
const CASES = '250';
const PREPARING_MS = 600_000;

const Ready = Type.Object({ url: Type.String(), key: Type.String(), data_dir: Type.String() });

export interface RunningDemo {
  readonly url: string;
  readonly key: string;
  readonly data_dir: string;
  readonly command: RunningCommand;
}

/** Starts `decision-ledger demo` on a free port, with more options. */
export async function startDemo(
  environment: Environment,
  ...options: readonly string[]
): Promise<RunningDemo> {
  const args = ['demo', '--cases', CASES, '--port', '0', '--json', ...options];
  const command = startCommand(args, { LEDGER_LOG_LEVEL: 'warn', ...environment });
  let hasEnded = false;
  void command.ended.finally(() => {
    hasEnded = true;
  });
  const isSaid = () => command.stdout().includes('\n');
  await until('the demo is ready', () => hasEnded || isSaid(), PREPARING_MS);
  if (!isSaid()) throw new Error(`the demo ended:\n${command.stderr()}`);
  return { ...Parse(Ready, JSON.parse(command.stdout())), command };
}
