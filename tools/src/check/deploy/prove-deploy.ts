import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { runLogged } from '../../../bootstrap/run-logged.mjs';
import { showProgress } from '../../../bootstrap/show-progress.mjs';
import { onEnd } from '../../kit/clean-up.js';
import { findFreePort } from '../../kit/find-free-port.js';
import { startService } from '../../kit/start-service.js';
import { waitUntilReady } from '../../kit/wait-until-ready.js';
import { type PortVariable, readSettings, type ServiceSettings } from '../../develop/start/settings.js';
import { findOutsideLinks } from './find-outside-links.js';

const STOP_MS = 20_000;

/**
 * Proves that one app runs from a folder of its own: deploys it, migrates with what is in that folder, starts it, waits
 * for 200 from /readyz, sends SIGTERM and expects exit code 0.
 *
 * @throws PlainError naming the app and what did not happen
 */
export async function proveDeploy(
  service: ServiceSettings,
  { pnpmDir, databaseUrl }: { readonly pnpmDir: string; readonly databaseUrl: string },
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), `duework-deploy-${service.name}-`));
  const remove = onEnd(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  try {
    await showProgress(`Deploying the ${service.name}`, () =>
      runLogged({
        name: `deploy-${service.name}`,
        command: join(pnpmDir, 'pnpm'),
        args: ['--filter', service.packageName, 'deploy', '--prod', dir],
      }),
    );
    const outside = findOutsideLinks(dir);
    if (outside.length > 0)
      throw new PlainError(`The deployed ${service.name} leads out of its folder: ${outside.slice(0, 5).join(', ')}`);
    migrateFrom(dir, service.name, databaseUrl);
    await runOnce(service, dir, databaseUrl);
  } finally {
    remove();
  }
}

function migrateFrom(dir: string, name: string, databaseUrl: string): void {
  const { status, stdout, stderr } = spawnSync(join(dir, 'node_modules/.bin/duework'), ['migrate'], {
    cwd: dir,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });
  if (status !== 0) throw new PlainError(`The deployed ${name} cannot migrate: ${stdout}${stderr}`.trim());
}

async function runOnce(service: ServiceSettings, dir: string, databaseUrl: string): Promise<void> {
  const ports: Partial<Record<PortVariable, string>> = {};
  for (const variable of ['API_PORT', 'WORKER_PORT', 'MAILBOX_PORT', 'SMTP_PORT'] as const)
    ports[variable] = String(await findFreePort());
  const { env } = readSettings({ ...ports, TEMP_DIR: join(dir, 'tmp') });
  const lines: string[] = [];
  const started = startService(
    { ...service, main: 'dist/main.js' },
    { env: { ...env, DATABASE_URL: databaseUrl }, onLine: (line) => void lines.push(line), cwd: dir },
  );
  const failed = (what: string): PlainError =>
    new PlainError(`${lines.slice(-15).join('\n')}\nThe deployed ${service.name} ${what}.`.trimStart());
  let hasExited = false;
  const exited = started.exited.then((result) => ((hasExited = true), result));
  try {
    await Promise.race([
      waitUntilReady(service.name, `http://127.0.0.1:${ports[service.ports[0]]}/readyz`, () => hasExited),
      exited.then(({ how }) => Promise.reject(failed(`ended by itself (${how})`))),
    ]);
    started.stop('SIGTERM');
    const timer = new Promise<{ how: string }>((resolve) =>
      setTimeout(resolve, STOP_MS, { how: `still running after ${STOP_MS / 1_000} s` }).unref(),
    );
    const { how } = await Promise.race([exited, timer]);
    if (how !== 'exit code 0') throw failed(`did not stop cleanly on SIGTERM: ${how}`);
  } finally {
    started.stop('SIGKILL');
  }
}
