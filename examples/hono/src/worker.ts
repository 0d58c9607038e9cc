import { runWorker } from 'duework/worker';
import { db } from './db.js';
import { catalog, handlers } from './jobs/index.js';

// runs jobs until it is told to stop; deployed beside the server
await runWorker({ catalog, handlers });
await db.destroy();
