import { createProgram } from '@duework/cli';
import type { Command } from 'commander';
import { format, resolveConfig } from 'prettier';

const WIDTH = 100;

const INTRO = `# Commands

\`npx duework\` is the command of the package \`duework\`. It reads DATABASE_URL from the environment, or from \`.env\` in the
working directory. The commands that need your contracts or handlers load the module that \`--jobs\` names, or
\`"duework": { "jobs": "./jobs/index.ts" }\` in the nearest package.json. It exports \`catalog\`; for workers also
\`handlers\`, and if you like \`schedules\`, \`schedulesVersion\` and \`middleware\`. TypeScript is loaded by \`tsx\` or \`jiti\`
of your project, or by Node where it strips types.

| exit code | means                                                                                              |
| --------- | -------------------------------------------------------------------------------------------------- |
| 0         | done                                                                                               |
| 1         | refused, and one line on stderr says why and what to do; \`status\`: the database is not migrated |
| others    | of \`worker\`: see there                                                                           |

Tables are also printed as JSON with \`--json\`. No output has colours or needs a terminal. This page is written from the
help of the program: \`npm run docs:commands\`.
`;

/** The help of the program and of each of its commands, as the file of that name has it. */
export async function renderCommands(file: string): Promise<string> {
  let help = '';
  const absent = (): never => {
    throw new Error('help needs none of this');
  };
  const program = createProgram({
    db: absent,
    databaseUrl: absent,
    findJobs: absent,
    loadJobs: absent,
    progress: () => {},
    exitWith: absent,
    onSignal: absent,
    now: absent,
    cwd: '/',
    self: '/main.js',
    version: '0.0.0',
    timeZone: 'UTC',
    write: (text) => (help += text),
  });
  const helpOf = (command: Command): string => {
    help = '';
    command.configureHelp({ helpWidth: WIDTH }).outputHelp();
    return help.trim();
  };
  const section = (command: Command, path: string): string[] => [
    `## ${path}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\`\n`,
    ...command.commands.flatMap((child) => section(child, `${path} ${child.name()}`)),
  ];
  const text = [INTRO, ...section(program, 'duework')].join('\n');
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
