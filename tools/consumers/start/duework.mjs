import { runWorker } from 'duework/worker';
import { catalog } from './jobs.mjs';
import { tell } from './tell.mjs';

await runWorker({ catalog, handlers: { greet: tell }, workerPort: 'none', logLevel: 'silent' });
