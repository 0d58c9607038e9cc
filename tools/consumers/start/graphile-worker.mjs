import { Logger, run } from 'graphile-worker';
import { tell } from './tell.mjs';

const logger = new Logger(() => () => {});
await run({
  connectionString: process.env.DATABASE_URL,
  concurrency: 10,
  logger,
  taskList: { greet: async () => tell() },
});
