import { createProgram, PLAIN } from '@duework/cli';
import type { Command } from 'commander';
import { formatText } from '../format-text.js';

const WIDTH = 100;

const INTRO = `# Commands

\`npx duework\` is the command of the package \`duework\`. It reads DATABASE_URL from the environment, or from \`.env\` in the
working directory. The commands that need your contracts or handlers load the module that \`--jobs\` names, or
\`"duework": { "jobs": "./jobs/index.ts" }\` in the nearest package.json. It exports \`catalog\`; for workers also
\`handlers\`, and if you like \`schedules\`, \`schedulesVersion\`, \`middleware\` and \`backoffs\`. TypeScript is loaded by \`tsx\` or \`jiti\`
of your project, or by Node where it strips types.

| exit code | means                                                                                              |
| --------- | -------------------------------------------------------------------------------------------------- |
| 0         | done                                                                                               |
| 1         | refused or failed; one line on stderr says why and what to do. Also a job of \`enqueue --wait\` that is dead or cancelled, an aborted bulk action, a shard that does not answer, and \`reencrypt\` that must run again |
| 2         | the arguments cannot be used; nothing was done |
| 3         | a check has found something: \`doctor\`, \`indexes\`, \`contracts check\`, \`contracts lock --check\`, \`migrate status\`, \`roles --check\`, \`shards check\`, \`shards drained\` |
| 130       | Ctrl-C at a bulk action, which goes on in the background; at \`move\`, which has ended between two transactions |
| others    | of \`worker\`: see there                                                                           |

With \`--api <url>\` (or DUEWORK_API_URL) and a key in DUEWORK_API_KEY all of them work on an API, without a database and,
but for the payload's contract, which the server checks, without a module of jobs. These need a database: \`init\`, \`dev\`,
\`worker\`, \`migrate\`, \`schedules tick\`, \`reencrypt\`, \`indexes\`, \`move\` and \`contracts\`. On a database the audit names
\`command:<user>@<host>\`, on an API the key.

A filter is [what jobs are searched with](filters.md). The shell takes quotes away, so an argument with spaces is one text:
\`duework jobs status:dead "connection refused"\` and \`duework jobs key:"a b"\` mean what they say.

On a terminal statuses have colours, unless NO_COLOR is set, and the last column is cut to its width; elsewhere nothing is
cut. Tables are also printed as JSON with \`--json\`. \`source <(duework completion bash)\` completes words. This page is
written from the help of the program: \`npm run write -- reference\`.
`;

/** The help of the program and of each of its commands, as the file of that name has it. */
export async function renderCommands(file: string): Promise<string> {
  let help = '';
  const absent = (): never => {
    throw new Error('help needs none of this');
  };
  const program = createProgram({
    db: absent,
    anyDb: absent,
    shards: absent,
    shardDb: absent,
    otherDb: absent,
    api: absent,
    keyRing: absent,
    reencryptInRedis: absent,
    redisUrl: absent,
    progressLook: PLAIN,
    look: PLAIN,
    confirm: undefined,
    actor: 'command:ana@laptop',
    databaseUrl: absent,
    databaseWaitMs: absent,
    isReplicated: absent,
    givenDatabaseUrl: absent,
    runningDatabaseUrl: absent,
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
    ...command
      .createHelp()
      .visibleCommands(command)
      .filter((child) => child.name() !== 'help')
      .flatMap((child) => section(child, `${path} ${child.name()}`)),
  ];
  const text = [INTRO, ...section(program, 'duework')].join('\n');
  return formatText(file, text);
}
