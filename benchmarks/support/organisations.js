const built = (/** @type {string} */ path) =>
  import(new URL(`../../packages/server/dist/${path}`, import.meta.url).href);

/**
 * Creates an organisation in this process, as the command does in its own: a short run creates many, and a process
 * takes ten times as long.
 * @param {NodeJS.ProcessEnv} environment of another process on the same database
 * @param {string} name
 * @returns {Promise<string>} its live key
 */
export async function createHere(environment, name) {
  const { readConfig } = await built('config.js');
  const { openService } = await built('service.js');
  const { createOrganisation } = await built('domains/access/organisations/index.js');
  const fail = (/** @type {Error} */ error) => {
    throw error;
  };
  const opened = await openService(readConfig(environment), { onConnectionError: fail });
  try {
    const { live } = await createOrganisation(opened, opened.db, name);
    return live;
  } finally {
    await opened.close();
  }
}
