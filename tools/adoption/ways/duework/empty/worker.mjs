import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs.mjs';

await runWorker({ catalog, handlers });
