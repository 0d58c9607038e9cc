import { createServer } from 'node:net';
import { sayInstall } from '../project/install-command.js';
import { importConsole } from './console-package.js';

const FIRST_PORT = 4_700;
const TRIES = 100;

/** What starts the console of a project, whose address is told; undefined: @duework/http is not installed, which is told. */
export async function findConsole(dir: string, write: (text: string) => void): Promise<string[] | undefined> {
  if ((await importConsole(dir)) === undefined) {
    const install = sayInstall(dir, ['@duework/http'], { isDev: true });
    write(`For the console beside it: ${install}, then start this again.\n`);
    return undefined;
  }
  const port = await findFreePort();
  write(`Console: http://127.0.0.1:${port}/console\n`);
  return ['dev-console', '--port', String(port)];
}

async function findFreePort(): Promise<number> {
  for (let port = FIRST_PORT; port < FIRST_PORT + TRIES; port++) if (await isFree(port)) return port;
  return FIRST_PORT;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
