import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs.js';

await runWorker({ catalog, handlers });
