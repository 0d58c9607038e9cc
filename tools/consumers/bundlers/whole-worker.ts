import { defineCatalog } from 'duework';
import { runWorker } from 'duework/worker';

// the files that it starts as threads and processes are not beside a bundle, which it says before it connects anywhere
void runWorker({ catalog: defineCatalog([]), handlers: {}, databaseUrl: 'postgres://127.0.0.1:1/none' });
