import { readConfig } from '../config.js';
import { openService, type Service } from '../service.js';

/** Runs a command against the database, through a running server's engine where there is one. */
export async function withService<Result>(
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await openService(readConfig(process.env), {
    share: true,
    onFailure: (error) => {
      process.stderr.write(`the database failed: ${error.message}\n`);
    },
  });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}
