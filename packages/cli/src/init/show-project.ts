import type { Project } from './project.js';

const CLIENT_NAMES: Readonly<Record<Project['client'], string>> = {
  prisma: 'Prisma',
  drizzle: 'Drizzle',
  typeorm: 'TypeORM',
  kysely: 'Kysely',
  knex: 'Knex',
  postgres: 'postgres.js',
  pg: 'pg',
};

/** What was seen of a project, in one line. */
export function showProject(project: Project): string {
  const { extension, isModule, client, framework, validator, testRunner, packageManager, prisma } = project;
  const language = `${extension === 'ts' ? 'TypeScript' : 'JavaScript'}, ${isModule ? 'ES modules' : 'CommonJS'}`;
  const version = client === 'prisma' ? (prisma?.isBefore7 === true ? ' 6' : ' 7') : '';
  const parts = [language, `${CLIENT_NAMES[client]}${version}`, framework, validator, `tests by ${testRunner}`];
  return `${project.name}: ${parts.filter((part) => part !== undefined).join(', ')}, ${packageManager}\n`;
}
