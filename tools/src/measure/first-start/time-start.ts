import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onEnd } from '../../kit/clean-up.js';
import { findFreePort } from '../../kit/find-free-port.js';

export interface StartTimes {
  readonly pnpm: number;
  readonly install: number;
  readonly build: number;
  /** From the end of the build until everything answers. */
  readonly start: number;
  readonly all: number;
}

const PORTS = ['POSTGRES_PORT', 'API_PORT', 'WORKER_PORT', 'MAILBOX_PORT', 'SMTP_PORT'];
const LIMIT_MS = 600_000;

/** The steps that the start shows, as it calls them. */
const STEPS = { pnpm: 'Getting pnpm', install: 'Installing packages', build: 'Building' } as const;

/** Runs `npm start` until everything answers, and stops it; answers the seconds of its steps. */
export async function timeStart(clone: string, env: Readonly<Record<string, string>>): Promise<StartTimes> {
  const ports = Object.fromEntries(await Promise.all(PORTS.map(async (name) => [name, String(await findFreePort())])));
  const { PATH = '', HOME = '' } = process.env;
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1_000;
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env: { PATH, HOME, CI: 'true', NO_COLOR: '1', ...env, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    timeout: LIMIT_MS,
  });
  const forget = onEnd(() => process.kill(-child.pid!, 'SIGTERM'));
  const seen = new Map<string, number>();
  const ended = once(child, 'close');
  const ready = await new Promise<number>((resolve, reject) => {
    let said = '';
    const take = (text: string): void => {
      said += text;
      // a step that is over in a moment is not shown
      for (const step of Object.values(STEPS)) {
        if (!seen.has(step) && said.includes(step)) seen.set(step, seconds());
        if (!seen.has(`${step} done`) && new RegExp(`${step}.*done in`).test(said)) seen.set(`${step} done`, seconds());
      }
      if (said.includes('Ctrl-C stops everything.')) resolve(seconds());
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take);
    child.on('error', reject);
    child.on('close', () => reject(new Error(`The start has ended: ${said.slice(-2_000)}`)));
  });
  // npm and what it has started
  process.kill(-child.pid!, 'SIGTERM');
  await ended;
  forget();
  const span = (step: string): number => (seen.get(`${step} done`) ?? 0) - (seen.get(step) ?? 0);
  const [pnpm, install, build] = [span(STEPS.pnpm), span(STEPS.install), span(STEPS.build)];
  return { pnpm, install, build, start: ready - pnpm - install - build, all: ready };
}
