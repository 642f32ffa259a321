import { createDatabase, describePostgres } from './support/postgres.js';
import {
  createOrganisation,
  postgresEnvironment,
  startService,
} from './support/service-process.js';
import { itFindsTampering } from './support/tamper-suite.js';

describePostgres('tampering behind the service’s back, on PostgreSQL', () => {
  itFindsTampering(async () => {
    const database = await createDatabase();
    const environment = postgresEnvironment(database.url);
    const { live } = await createOrganisation(environment, 'acme');
    const service = await startService(environment);
    return {
      ...{ url: service.url, liveKey: live, environment },
      connection: { connectionString: database.url },
      async close() {
        await service.stop();
        await database.drop();
      },
    };
  });
});
