import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { root } from '../../../../bootstrap/paths.mjs';
import { runCommand } from '../../../kit/run-command.js';
import { serveRegistry } from '../../../kit/serve-registry.js';
import { startGroup } from '../../../kit/start-group.js';
import { waitUntil } from '../../../kit/wait-until.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { buildImage } from '../image/build-image.js';
import { proveImage } from '../image/prove-image.js';
import { readImagePage } from '../image/read-page.js';
import type { Check, Lab } from '../../../kit/run-packed.js';

type Env = Readonly<Record<string, string>>;

export const firstSteps: Check = {
  name: 'first-steps',
  words:
    'from nothing, with a registry that has the packed packages: npx duework init in an empty folder, an image of its worker by the Dockerfile of docs/how-to/deploy.md, the command beside postgres alone, and docs/start/first-job.md as it is written, the worker killed in the middle',
  isQuick: true,
  run: async (lab) => {
    const registry = await serveRegistry(lab.packed, lab.dir);
    const env = { ...registry.env, npm_config_cache: join(lab.dir, 'first-steps-cache') };
    try {
      const dir = await runInit(lab, env);
      await makeImage(lab, dir, env);
      await runBesidePostgres(lab, env);
      return `init, its image, --help beside postgres, ${await followPage(lab, env)} files of first-job.md`;
    } finally {
      registry.stop();
    }
  },
};

/** Returns the folder of the project. */
async function runInit(lab: Lab, env: Env): Promise<string> {
  const dir = makeFolder(lab, 'first-init');
  const said = await runCommand('npx', ['--yes', 'duework', 'init', '--yes'], { cwd: dir, env });
  if (!said.includes('has succeeded')) throw new PlainError(`${said}\ninit has run no job.`);
  return dir;
}

/** Builds and uses the image of the page, as far as that goes without an engine. */
async function makeImage(lab: Lab, context: string, env: Env): Promise<void> {
  const dir = makeFolder(lab, 'first-image');
  const images = await buildImage({ ...readImagePage('## Docker'), context, dir, env });
  const prove = (url: string): Promise<void> =>
    proveImage(images.at(-1)!, url, (run) =>
      run('node_modules/.bin/duework', 'enqueue', 'say_hello', '{"name":"Ada"}', '--wait'),
    );
  await withFreshDatabase(prove, { isMigrated: false });
}

async function runBesidePostgres(lab: Lab, env: Env): Promise<void> {
  const dir = makeFolder(lab, 'first-postgres');
  writeFileSync(join(dir, 'package.json'), '{}\n');
  await runCommand('npm', ['install', '--no-audit', 'duework', 'postgres'], { cwd: dir, env });
  await runCommand('npx', ['duework', '--help'], { cwd: dir, env });
  const asked = { ...env, DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none' };
  const said = await runCommand('sh', ['-c', 'npx duework doctor 2>&1 || true'], { cwd: dir, env: asked });
  if (!said.includes('npm install pg')) throw new PlainError(`${said}\ndoctor does not ask for pg.`);
}

/** Does what the page says until its job has run; returns how many files it has. */
async function followPage(lab: Lab, env: Env): Promise<number> {
  const dir = makeFolder(lab, 'first-job');
  const page = readFileSync(join(root, 'docs/start/first-job.md'), 'utf8');
  const files = [...page.matchAll(/<!-- file: (\S+) -->\s+```ts\n([\s\S]*?)```/g)];
  const [install, dev, enqueue] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text!);
  await runCommand('sh', ['-ec', install!], { cwd: dir, env });
  for (const [, path, text] of files) {
    mkdirSync(dirname(join(dir, path!)), { recursive: true });
    writeFileSync(join(dir, path!), text!);
  }
  const worker = startGroup(dev!, dir, env);
  const printed = (what: RegExp): Promise<unknown> =>
    Promise.race([worker.failed, waitUntil(`${dev} has not printed ${what}`, () => what.test(worker.said()))]);
  try {
    await printed(/The worker runs send_invoice/);
    await runCommand('sh', ['-ec', enqueue!], { cwd: dir, env });
    await printed(/send_invoice \d+ succeeded/);
    // what the page tries last: the worker is killed in the middle of a job
    const index = join(dir, 'jobs/index.ts');
    const [, pause] = /put `(await new Promise[^`]+)`/.exec(page)!;
    const slow = readFileSync(index, 'utf8').replace('return complete()', `${pause};\n    return complete()`);
    writeFileSync(index, slow);
    await printed(/(The worker runs send_invoice[^]*){2}/);
    await runCommand('sh', ['-ec', enqueue!.replace('812', '814')], { cwd: dir, env });
    await printed(/the invoice of order 814 is sent/);
    const workers = await runCommand('npx', ['duework', 'workers'], { cwd: dir, env });
    process.kill(Number(/^\S+ +\S+ +(\d+) /m.exec(workers.replace(/^WORKER.*$/m, ''))![1]), 'SIGKILL');
    await printed(/it starts again when a file changes/);
    writeFileSync(index, `${slow}\n`);
    await printed(/(send_invoice \d+ succeeded[^]*){2}/);
    if (/(814 is sent[^]*){2}/.test(worker.said())) throw new PlainError(`${worker.said()}\nIt was sent twice.`);
  } finally {
    await worker.stop();
  }
  return files.length;
}

function makeFolder(lab: Lab, name: string): string {
  const dir = join(lab.dir, name);
  mkdirSync(dir);
  return dir;
}
