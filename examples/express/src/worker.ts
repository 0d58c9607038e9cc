import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs/index.js';
import { pool } from './pool.js';

// runs jobs until it is told to stop; deployed beside the server
await runWorker({ catalog, handlers });
await pool.end();
