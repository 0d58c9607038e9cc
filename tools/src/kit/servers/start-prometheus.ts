import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PlainError } from '../../../bootstrap/plain-error.mjs';
import { onEnd } from '../clean-up.js';
import { findFreePort } from '../find-free-port.js';
import { waitUntil } from '../wait-until.js';
import { installFromDebian } from './install-from-debian.js';

/** Whether Prometheus and its promtool are on PATH. */
export function isPrometheusInstalled(): boolean {
  return ['prometheus', 'promtool'].every(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
  );
}

/**
 * Installs Prometheus and promtool where they are missing.
 *
 * @throws Error with what to do, where they are missing and cannot be installed
 */
export function installPrometheus(): void {
  installFromDebian({
    title: 'Prometheus',
    name: 'prometheus',
    isInstalled: isPrometheusInstalled,
    how: 'Install it (Debian, Ubuntu: `apt-get install prometheus`; macOS: `brew install prometheus`).',
  });
}

export interface StartedPrometheus {
  /** Asks its API, `/api/v1/…`, and returns `data` of the answer; rejects with the error of Prometheus. */
  ask<T>(path: string, parameters?: Readonly<Record<string, string>>): Promise<T>;
  stop(): Promise<void>;
}

/** Starts Prometheus on a configuration file; its data is kept in `dir`. Rejects with its log when it cannot start. */
export async function startPrometheus(configFile: string, dir: string): Promise<StartedPrometheus> {
  const address = `127.0.0.1:${await findFreePort()}`;
  const args = [`--config.file=${configFile}`, `--storage.tsdb.path=${join(dir, 'data')}`];
  const server = spawn('prometheus', [...args, `--web.listen-address=${address}`, '--log.level=warn'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  let hasEnded = false;
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-4_000)));
  const endNow = onEnd(() => server.kill('SIGKILL'));
  const exited = new Promise<void>((resolve) => {
    server.once('close', () => {
      hasEnded = true;
      resolve();
    });
  });
  await waitUntil('Prometheus was not ready', async () => {
    if (hasEnded) throw new PlainError(`${log.trim()}\nPrometheus did not start.`);
    const answer = await fetch(`http://${address}/-/ready`).catch(() => null);
    return answer?.ok === true;
  });
  return {
    async ask(path, parameters = {}) {
      const response = await fetch(`http://${address}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
      const { status, data, error } = (await response.json()) as { status: string; data: never; error?: string };
      if (status !== 'success') throw new PlainError(error ?? `Prometheus answers ${response.status}.`);
      return data;
    },
    async stop() {
      server.kill('SIGTERM');
      await exited;
      endNow();
    },
  };
}
