import type { Project } from '../project.js';

/** jobs/index: the module that the command loads. */
export const indexFile = ({ importSuffix }: Project): string => `export { catalog } from './contracts${importSuffix}';
export { handlers } from './handlers${importSuffix}';
`;

/** worker: the program that is deployed beside the application. */
export const workerFile = ({ importSuffix, isModule }: Project): string => `import { runWorker } from 'duework/worker';
import { catalog, handlers } from './jobs/index${importSuffix}';

// Runs the jobs of the database DATABASE_URL until it is told to stop. It is deployed beside the application.
${isModule ? 'await' : 'void'} runWorker({ catalog, handlers });
`;
