import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Mounted } from '../mounted.js';

const project = fileURLToPath(new URL('../../next-app', import.meta.url));
const next = createRequire(import.meta.url).resolve('next/dist/bin/next');

/** Builds the project next-app and starts it. Its route handler makes the queue's handler itself. */
export async function openNext(databaseUrl: string): Promise<Mounted> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' };
  const build = spawn(process.execPath, [next, 'build', project], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let told = '';
  for (const stream of [build.stdout, build.stderr]) stream.on('data', (chunk) => (told += String(chunk)));
  const [code] = (await once(build, 'close')) as [number];
  if (code !== 0) throw new Error(`next build ended with ${code}: ${told}`);
  const server = spawn(process.execPath, [next, 'start', project, '-p', '0', '-H', '127.0.0.1'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let out = '';
    server.stdout.on('data', (chunk) => {
      out += String(chunk);
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
      if (found !== undefined && out.includes('Ready')) resolve(found);
    });
    server.once('close', () => reject(new Error(`next start ended: ${out}`)));
  });
  return {
    url,
    async close() {
      server.kill('SIGTERM');
      await once(server, 'close');
    },
  };
}
