import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { enqueue, getJob, systemClock as clock } from '@duework/queue-core';
import { isolated } from './isolated.js';
import { act, useIsolatedWorker } from './testing/use-isolated-worker.js';

const { database, start } = useIsolatedWorker();
/** An enum is what Node does not strip in any version. */
const TYPED = `
import { name } from './name.js';
enum Greeting { hello = 'Hello' }
export default () => \`\${Greeting.hello}, \${name}\`;
`;

let dir: string;
/** The same, with tsx installed. */
let typed: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'duework-isolated-'));
  typed = join(dir, 'with-tsx');
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
  await writeFile(join(dir, 'broken.mjs'), 'export default function (');
  await writeFile(join(dir, 'throws.mjs'), 'throw new Error("no licence");');
  await writeFile(join(dir, 'throws-later.mjs'), 'Promise.reject("no licence"); await new Promise(() => {});');
  await writeFile(join(dir, 'exits.mjs'), 'process.exit(3);');
  await writeFile(join(dir, 'named-only.mjs'), 'export const handler = () => {};');
  await writeFile(join(dir, 'another.mjs'), 'export default Object.assign(() => {}, { jobType: "send_mail" });');
  await writeFile(join(dir, 'imports.mjs'), 'import "not-installed"; export default () => {};');
  await writeFile(join(dir, 'typed.ts'), TYPED);
  await writeFile(join(dir, 'name.ts'), `export const name: string = 'Ada';`);
  await mkdir(join(typed, 'node_modules'), { recursive: true });
  await symlink(dirname(createRequire(import.meta.url).resolve('tsx/package.json')), join(typed, 'node_modules/tsx'));
  for (const name of ['package.json', 'typed.ts', 'name.ts']) await copyFile(join(dir, name), join(typed, name));
});
afterAll(() => rm(dir, { recursive: true }));

test.each([
  ['missing.mjs', 'cannot be loaded: Error: Cannot find module'],
  ['broken.mjs', 'SyntaxError'],
  ['throws.mjs', 'no licence'],
  ['throws-later.mjs', 'no licence'],
  ['exits.mjs', 'exited with code 3'],
  ['imports.mjs', 'not-installed'],
  ['named-only.mjs', 'has no function as its default export'],
  ['another.mjs', 'was made for send_mail'],
  ['typed.ts', 'It is TypeScript: name the .js file that your build makes of it'],
  ['typed.js', 'It is TypeScript: name the .js file that your build makes of it'],
])(
  'a worker does not start with an isolated handler that cannot be loaded, and names the file: %s',
  async (name, words) => {
    const file = join(dir, name);
    const { id } = await enqueue(database.db, act, { act: 'complete' });
    await expect(start({ handlers: { act: isolated(pathToFileURL(file)) } })).rejects.toMatchObject({
      code: 'isolated_module_invalid',
      message: expect.stringMatching(new RegExp(`^The handler of act, ${file}, [^]*${words}`)),
    });
    expect((await getJob(database.db, id)).job).toMatchObject({ status: 'queued', attempts: 0 });
  },
);

test.each(['typed.ts', 'typed.js'])('in development tsx of the project loads an isolated handler: %s', async (name) => {
  const { events } = await start({ handlers: { act: isolated(pathToFileURL(join(typed, name))) } });
  const { id } = await enqueue(database.db, act, { act: 'complete' });
  await events.waitFor('job.succeeded');
  expect((await getJob(database.db, id)).job.result).toBe('Hello, Ada');
});

test('a module that never loads does not hold a worker that is told to stop, and its process ends', async () => {
  let tell: (pid: number) => void = () => {};
  const loading = new Promise<number>((resolve) => (tell = resolve));
  const server = createServer(({ url }) => tell(Number(url?.slice(1)))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const file = join(dir, 'waits.mjs');
  await writeFile(file, `await fetch('http://127.0.0.1:${port}/' + process.pid);`);
  const told = new AbortController();
  const checked = isolated(pathToFileURL(file)).check({ type: 'act', memoryMb: 64, signal: told.signal, clock });
  void loading.then(() => told.abort(new Error('told to stop')));
  await expect(checked).rejects.toThrow('told to stop');
  const pid = await loading;
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  server.closeAllConnections();
  server.close();
});
