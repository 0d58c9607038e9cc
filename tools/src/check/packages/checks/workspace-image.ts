import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PlainError } from '../../../../bootstrap/plain-error.mjs';
import { runCommand } from '../../../kit/run-command.js';
import { serveRegistry } from '../../../kit/serve-registry.js';
import { withFreshDatabase } from '../../../kit/with-fresh-database.js';
import { findOutsideLinks } from '../../deploy/find-outside-links.js';
import { buildImage, type Image } from '../image/build-image.js';
import { proveImage } from '../image/prove-image.js';
import { readImagePage } from '../image/read-page.js';
import { installNode } from '../install-node.js';
import type { Check, Lab } from '../../../kit/run-packed.js';
import { writeWorkspace } from '../make-workspace.js';
import { MANAGERS, NODE_OF_PNPM_11, VERSIONS } from '../pinned-versions.js';

type Env = Readonly<Record<string, string>>;

const SPEC_OF_PAGE = 'pnpm@12';

export const workspaceImage: Check = {
  name: 'workspace-image',
  words:
    'the images of a pnpm workspace, by the Dockerfile of docs/how-to/deploy.md: the worker starts from dist alone, answers its probes, has its jobs named by duework.jobs, and does a job of the API; by pnpm 10 to 12',
  isQuick: false,
  run: async (lab) => {
    const registry = await serveRegistry(lab.packed, lab.dir);
    try {
      const managers = [SPEC_OF_PAGE, MANAGERS['pnpm 11'], MANAGERS['pnpm 10']];
      for (const manager of managers) await makeImages(lab, manager, registry.env);
      return managers.join(', ');
    } finally {
      registry.stop();
    }
  },
};

async function makeImages(lab: Lab, manager: string, given: Env): Promise<void> {
  const dir = join(lab.dir, `image-${manager.replace('@', '-')}`);
  const context = join(dir, 'context');
  const atRoot = { typescript: VERSIONS.typescript };
  writeWorkspace(lab, context, { atRoot, packedAs: ({ manifest }) => manifest.version });
  leaveOutTests(context);
  // what the page says of pnpm 10
  if (manager === MANAGERS['pnpm 10'])
    appendFileSync(join(context, 'pnpm-workspace.yaml'), 'injectWorkspacePackages: true\n');
  // npm install --global is for the image alone
  const global = join(dir, 'global');
  const path = manager === MANAGERS['pnpm 11'] ? await installNode(lab, NODE_OF_PNPM_11) : process.env.PATH!;
  const env = {
    ...given,
    pnpm_config_registry: given['npm_config_registry']!,
    npm_config_prefix: global,
    PATH: [join(global, 'bin'), path].join(delimiter),
  };
  await runCommand('npm', ['install', '--global', '--no-audit', manager], { cwd: dir, env });
  await runCommand('pnpm', ['install', '--lockfile-only', '--prefer-offline'], { cwd: context, env });

  const page = readImagePage('### A pnpm workspace');
  if (!page.dockerfile.includes(SPEC_OF_PAGE)) throw new PlainError(`The page does not install ${SPEC_OF_PAGE}.`);
  const dockerfile = page.dockerfile.replace(SPEC_OF_PAGE, manager);
  const [, api, worker] = await buildImage({ dockerfile, ignored: page.ignored, context, dir, env });
  for (const image of [api!, worker!]) checkContents(image);
  await withFreshDatabase((url) => proveImage(worker!, url, (run) => order(run, api!, url)), { isMigrated: false });
}

/** What images do not need and takes time to install: the page, and Jest. */
function leaveOutTests(context: string): void {
  for (const path of ['apps/page', 'apps/api/src/receipts.spec.ts']) rmSync(join(context, path), { recursive: true });
  const manifest = join(context, 'package.json');
  const { devDependencies, ...given } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, object>;
  const kept = Object.entries(devDependencies!).filter(([name]) => !name.includes('jest'));
  writeFileSync(manifest, JSON.stringify({ ...given, devDependencies: Object.fromEntries(kept) }, null, 2));
  const config = join(context, 'apps/api/tsconfig.json');
  writeFileSync(config, readFileSync(config, 'utf8').replace('"jest", ', ''));
}

function checkContents({ workdir }: Image): void {
  const outside = findOutsideLinks(workdir);
  if (outside.length > 0) throw new PlainError(`The image leads out of its folder: ${outside.slice(0, 5).join(', ')}`);
  const needless = ['src', 'node_modules/typescript', 'node_modules/@acme/contracts/src'];
  const found = needless.find((path) => existsSync(join(workdir, path)));
  if (found !== undefined) throw new PlainError(`The image has ${found}.`);
}

/** Has a job done that the command enqueues, and lets the API enqueue another one. */
async function order(
  run: (command: string, ...args: string[]) => Promise<string>,
  api: Image,
  url: string,
): Promise<void> {
  const payload = '{"orderId":1,"to":"a@example.com"}';
  await run('node_modules/.bin/duework', 'enqueue', 'send_receipt', payload, '--wait');
  const [program, ...args] = api.command;
  await runCommand(program!, args, { cwd: api.workdir, env: { ...api.env, DATABASE_URL: url } });
  await run('node_modules/.bin/duework', 'enqueue', 'send_receipt', payload.replace('1', '3'), '--wait');
  const count = await run('node_modules/.bin/duework', 'jobs', 'type:send_receipt', '--count');
  if (!count.includes('3')) throw new PlainError(`${count}\nThe API has enqueued nothing.`);
}
