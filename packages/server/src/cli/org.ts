import { createOrganisation } from '../domains/organisations/index.js';
import { withService } from './open.js';
import { print, printJson } from './output.js';

export async function createOrg(name: string, options: { json?: boolean }): Promise<void> {
  const created = await withService((service) => createOrganisation(service, service.db, name));
  if (options.json === true) return printJson(created);
  print(
    `Organisation ${name} (${created.org_id})`,
    `  live key  ${created.live}`,
    `  test key  ${created.test}`,
    'The keys are shown this once: keep them safe.',
  );
}
