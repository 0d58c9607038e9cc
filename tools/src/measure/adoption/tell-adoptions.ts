import type { Adoption } from './adopt.js';
import type { Project } from './ways.js';

export const PROJECT_NAMES: Readonly<Record<Project, string>> = {
  prisma: 'an application with Prisma',
  drizzle: 'an application with Drizzle',
  empty: 'an empty folder, with pg',
};

/** The measured ways through a project as a table in Markdown. */
export function tellAdoptions(project: Project, adoptions: readonly Adoption[]): string {
  const rows = adoptions.map(({ way, commands, lines, seconds, installSeconds }) =>
    [
      way.name,
      commands.map((command) => `\`${command}\``).join('<br>'),
      commands.length,
      lines,
      seconds.toFixed(1),
      installSeconds.toFixed(1),
    ].join(' | '),
  );
  return [
    `## ${PROJECT_NAMES[project].replace(/^an /, 'An ')}`,
    '',
    '| with | typed | commands | lines | seconds | of these, install |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
    '',
  ].join('\n');
}
