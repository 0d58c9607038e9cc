import type { BuildFacts, Project } from './project.js';
import { contractsFile } from './templates/contracts.js';
import { enqueueFile } from './templates/enqueue.js';
import { handlersFile } from './templates/handlers.js';
import { testFile } from './templates/test.js';
import { indexFile, workerFile } from './templates/worker.js';

/** A file that init writes where there is none. */
export interface PlannedFile {
  /** From the project's folder. */
  readonly path: string;
  readonly content: string;
}

/** The module that `duework.jobs` names, from the project's folder. */
export const jobsModuleOf = ({ sourceDir, extension }: Project): string => `./${sourceDir}jobs/index.${extension}`;

/** The folder of the test, from the project's folder. */
export const testDirOf = ({ testDir, sourceDir }: Project): string => testDir ?? `${sourceDir}jobs`;

/** The new files for a project; package.json is not one of them. */
export function planFiles(project: Project): PlannedFile[] {
  const { sourceDir, extension, framework, testRunner, build, hasTsconfig } = project;
  // where `nest new` makes jest look
  const test = framework === 'nest' && testRunner === 'jest' ? 'spec' : 'test';
  const source = (name: string, content: string): PlannedFile => ({
    path: `${sourceDir}${name}.${extension}`,
    content,
  });
  return [
    source('jobs/contracts', contractsFile(project)),
    source('jobs/handlers', handlersFile(project)),
    source('jobs/index', indexFile(project)),
    source('jobs/greet', enqueueFile(project)),
    { path: `${testDirOf(project)}/say-hello.${test}.${extension}`, content: testFile(project) },
    source('worker', workerFile(project)),
    ...(extension === 'ts' && !hasTsconfig ? [{ path: 'tsconfig.json', content: TSCONFIG }] : []),
    ...(build?.tool === 'tsc' ? [{ path: BUILD_CONFIG, content: buildConfig(project, build) }] : []),
  ];
}

/** What the build of the worker compiles. */
export const BUILD_CONFIG = 'tsconfig.jobs.json';

/** The worker and all that it imports, and no test. */
const buildConfig = ({ sourceDir }: Project, { rootDir, outDir, overrides }: BuildFacts): string =>
  `${JSON.stringify(
    {
      extends: './tsconfig.json',
      compilerOptions: { ...overrides, rootDir, outDir },
      files: [`${sourceDir}worker.ts`, `${sourceDir}jobs/index.ts`],
      include: [],
    },
    null,
    2,
  )}\n`;

/** For a folder that has no tsconfig: what Node itself understands. */
const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2022",
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "skipLibCheck": true,
    "noEmit": true
  }
}
`;
