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
  const { extension, isModule, client, framework, testRunner, packageManager, prisma } = project;
  const language = `${extension === 'ts' ? 'TypeScript' : 'JavaScript'}, ${isModule ? 'ES modules' : 'CommonJS'}`;
  const version = client === 'prisma' ? (prisma?.isBefore7 === true ? ' 6' : ' 7') : '';
  const parts = [
    language,
    `${CLIENT_NAMES[client]}${version}`,
    framework,
    showValidator(project),
    `tests by ${testRunner}`,
  ];
  return `${project.name}: ${parts.filter((part) => part !== undefined).join(', ')}, ${packageManager}\n`;
}

/** What a validator needs besides, which is better known when it is chosen than when it is missed. */
function showValidator({ validator, zod }: Project): string {
  if (validator === 'valibot') return 'valibot (with @valibot/to-json-schema)';
  if (validator !== 'zod' || !zod.needsJsonSchema) return validator;
  return zod.module === 'zod'
    ? 'zod before 4.2 (with payloadJsonSchema)'
    : 'zod 3 (its zod/v4, with payloadJsonSchema)';
}
