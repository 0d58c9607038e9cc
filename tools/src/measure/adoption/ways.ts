/** What a team has before it wants jobs: the folders of tools/adoption/projects. */
export type Project = 'prisma' | 'drizzle' | 'empty';

/** A way to a job done inside the team's own transaction: the files of tools/adoption/ways, and commands. */
export interface Way {
  readonly name: string;
  readonly folder: string;
  /** What is typed, in its order. The last one is the worker, and stays. */
  readonly commands: (project: Project) => readonly string[];
  /** What the worker prints when the team's program may run; without it, that does not wait. */
  readonly ready?: RegExp;
  /** What the worker prints for a job that it has done. */
  readonly done: RegExp;
  /** What must work besides, and is not measured. */
  readonly also?: (project: Project) => string;
}

const runs = (file: string, project: Project): string =>
  project === 'empty' ? `node ${file}.mjs` : `node --import tsx ${file}.ts`;

/** The empty folder has no client yet; with Prisma there is one, and the worker of Duework wants pg beside it. */
const installs = (project: Project, names: string, client: Partial<Record<Project, string>>): string =>
  `npm install ${[names, client[project]].filter((name) => name !== undefined).join(' ')}`;

const duework = (project: Project): string => installs(project, 'duework zod', { prisma: 'pg', empty: 'pg' });

export const ways: readonly Way[] = [
  {
    name: 'Duework',
    folder: 'duework',
    commands: (project) => [duework(project), 'npx duework migrate', runs('worker', project)],
    ready: /worker\.started/,
    done: /receipt of order \d+/g,
  },
  {
    name: 'Duework, init',
    folder: 'duework-init',
    // without init's own install, which would ask the registry for packages that are not published
    commands: (project) => [duework(project), 'npx duework init --yes --no-install', 'npm run worker'],
    ready: /worker\.started/,
    done: /says hello/g,
    also: (project) =>
      project === 'empty' ? 'node --test jobs/say-hello.test.mjs' : 'node --import tsx --test jobs/say-hello.test.ts',
  },
  {
    name: 'pg-boss',
    folder: 'pg-boss',
    commands: (project) => [installs(project, 'pg-boss@12.38.0', { empty: 'pg' }), runs('worker', project)],
    done: /receipt of order \d+/g,
  },
  {
    name: 'graphile-worker',
    folder: 'graphile-worker',
    commands: (project) => [
      installs(project, 'graphile-worker@0.18.0', { empty: 'pg' }),
      'npx graphile-worker --connection "$DATABASE_URL"',
    ],
    ready: /looking for jobs/,
    done: /receipt of order \d+/g,
  },
];
