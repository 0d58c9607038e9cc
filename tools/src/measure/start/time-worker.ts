import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { onEnd } from '../../kit/clean-up.js';
import { runCommand } from '../../kit/run-command.js';
import { readTreeCpuMicros } from '../bench/gauges/read-cpu.js';

export const SYSTEMS = ['duework', 'graphile-worker', 'pg-boss'] as const;
export type SystemName = (typeof SYSTEMS)[number];

/** What a worker took until its first job, and its memory afterwards; NaN where there is no /proc. */
export interface WorkerStart {
  readonly ms: number;
  readonly processorMs: number;
  readonly serverMs: number;
  readonly memoryMb: number;
}

const LIVES_MS = 8_000;

/** Enqueues a job, starts a worker of the system, and stops it after 8 s. */
export async function timeWorker(
  system: SystemName,
  { dir, url, serverPid }: { readonly dir: string; readonly url: string; readonly serverPid: number },
): Promise<WorkerStart> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url };
  await runCommand(process.execPath, ['enqueue.mjs', system], { cwd: dir, env });
  const serverBefore = readTreeCpuMicros(serverPid) ?? NaN;
  const begunMs = performance.now();
  const child = spawn(process.execPath, [`${system}.mjs`], { cwd: dir, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const forget = onEnd(() => child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const processorMs = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, ms] = /^first job (.*)\n/m.exec(said) ?? [];
      if (ms !== undefined) resolve(Number(ms));
    });
    child.on('exit', () => reject(new Error(`The worker of ${system} has ended: ${said}`)));
  });
  const ms = performance.now() - begunMs;
  const serverMs = ((readTreeCpuMicros(serverPid) ?? NaN) - serverBefore) / 1_000;
  await pause(LIVES_MS);
  const memoryMb = readMemoryMb(child.pid!);
  child.kill('SIGTERM');
  await ended;
  forget();
  return { ms, processorMs, serverMs, memoryMb };
}

function readMemoryMb(pid: number): number {
  if (process.platform !== 'linux') return NaN;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}
