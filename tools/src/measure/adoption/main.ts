/** `npm run measure -- adoption`: from a project without jobs to a job done inside its own transaction, beside others. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePnpm } from '../../../bootstrap/ensure-pnpm.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { cleanUpAtExit, onEnd } from '../../kit/clean-up.js';
import { createProgram, namesAmong } from '../../kit/create-program.js';
import { runProgram } from '../../kit/run-program.js';
import { packPackages } from '../../kit/pack-packages.js';
import { runCommand } from '../../kit/run-command.js';
import { type Adoption, adopt } from './adopt.js';
import { makeProject } from './make-project.js';
import { tellAdoptions } from './tell-adoptions.js';
import { type Project, ways } from './ways.js';

const PROJECTS: readonly Project[] = ['prisma', 'drizzle', 'empty'];
/** The others want Node 22; all run on the same. */
const NODE = '22.23.3';
const MOST = { commands: 3, lines: 20, seconds: 60 };

const SUMMARY = `Takes an application with Prisma, one with Drizzle and an empty folder from no jobs to a job that is done
inside their own transaction: with Duework as it is packed here, pg-boss and graphile-worker. Prints what had to be typed,
how many lines written, and how long the machine took. Exit code 1: something failed, or Duework took more than
${MOST.commands} commands, ${MOST.lines} lines or ${MOST.seconds} s.`;

const program = createProgram('measure adoption', SUMMARY)
  .option('--only <projects>', 'these projects', namesAmong(PROJECTS))
  .option('--keep', 'leaves the folders, and says where they are');

await runProgram(program, async () => {
  cleanUpAtExit();
  const { only, keep } = program.opts<{ only?: string[]; keep?: true }>();
  const dir = mkdtempSync(join(tmpdir(), 'duework-adoption-'));
  const remove = onEnd(() => {
    if (keep === undefined) rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    else process.stdout.write(`The folders are in ${dir}.\n`);
  });
  let isWrong = false;
  try {
    const packed = await packPackages(dir, await ensurePnpm());
    const env = { PATH: `${await installNode(dir)}:${process.env.PATH}` };
    for (const project of PROJECTS.filter((name) => only?.includes(name) ?? true)) {
      const from = join(dir, project);
      await showProgress(`making the project ${project}`, () => makeProject(project, from, env));
      const adoptions: Adoption[] = [];
      for (const way of ways) {
        const into = join(dir, `${project}-${way.folder}`);
        await showProgress(`${project}: ${way.name}`, () => adopt({ way, project, from, dir: into, packed, env })).then(
          (adoption) => adoptions.push(adoption),
          (error: unknown) => {
            isWrong = true;
            process.stderr.write(`\n${project}, ${way.name}: ${(error as Error).message}\n\n`);
          },
        );
      }
      process.stdout.write(`\n${tellAdoptions(project, adoptions)}\n`);
      isWrong ||= adoptions.some((adoption) => adoption.way.folder.startsWith('duework') && isTooMuch(adoption));
    }
    return isWrong ? 1 : 0;
  } finally {
    remove();
  }
});

function isTooMuch({ commands, lines, seconds }: Adoption): boolean {
  return commands.length > MOST.commands || lines > MOST.lines || seconds > MOST.seconds;
}

/** Returns the folder of its program. */
async function installNode(dir: string): Promise<string> {
  const at = join(dir, 'node');
  mkdirSync(at);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  await runCommand(
    'npm',
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', at, `${name}@${NODE}`],
    {
      cwd: at,
    },
  );
  return join(at, 'node_modules', name, 'bin');
}
