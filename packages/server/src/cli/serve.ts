import { type Config, readConfig } from '../config.js';
import { type NewOrganisation, selectLedgers } from '../domains/access/organisations/index.js';
import type { Service } from '../service.js';
import { describeFirstKeys } from './first-start.js';
import { print, printJson } from './output.js';
import { runService } from './run-service.js';

interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  readonly json?: boolean;
}

/** Runs the service until it is stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  const { port, host, json = false } = options;
  const config = {
    ...readConfig(process.env),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
  };
  await runService(config, {
    onReady: async ({ service, url, created }) => {
      if (json) printJson({ url, role: config.role, organisation: created });
      else await printWelcome(service, url, config, created);
      if (service.isKeyChanging) {
        process.stderr.write(
          'A rotation of the master key is in progress. If it was interrupted, finish it with:\n' +
            '  decision-ledger master-key rotate\n',
        );
      }
    },
  });
}

async function printWelcome(
  { installation }: Service,
  url: string,
  config: Config,
  created: NewOrganisation | null,
): Promise<void> {
  if (config.role === 'worker') {
    print(`Decision Ledger works in the background; ${url}/healthz reports its health`);
    return;
  }
  print(`Decision Ledger listens on ${url}`);
  if (config.storage.kind === 'postgres') {
    if ((await selectLedgers(installation)).length > 0) return;
    print('Create an organisation and its keys with: decision-ledger org create NAME');
    return;
  }
  const keys = `${config.storage.dataDir}/keys.json`;
  if (created === null) {
    print(await describeFirstKeys(config.storage.dataDir));
    return;
  }
  print(
    '',
    'The organisation `default` was created. Its keys are shown only once. They are stored in',
    `${keys}:`,
    `  live  ${created.live}`,
    `  test  ${created.test}`,
    '',
    'Record a first decision in the sandbox:',
    '',
    `curl -s ${url}/api/v1/decisions -H 'X-Ledger-Key: ${created.test}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"agent_id":"me","action_type":"printWelcome","inputs":{},"outputs":{},"confidence":0.9}'`,
    '',
  );
}
