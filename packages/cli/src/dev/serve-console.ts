import { once } from 'node:events';
import { createServer } from 'node:http';
import { PlainError } from '../plain-error.js';
import type { CommandParts } from '../program-parts.js';
import { findProjectDir } from '../project/find-project-dir.js';
import { sayInstall } from '../project/install-command.js';
import { stopWithParent } from '../worker/stop-with-parent.js';
import { importConsole } from './console-package.js';

type ServeParts = Pick<CommandParts, 'db' | 'jobs' | 'jobsFile' | 'onSignal'> & { readonly port: number };

/** Serves the console of a project to this machine alone, until a signal comes or `duework dev` is gone. */
export async function serveConsole({ db, jobs, jobsFile, onSignal, port }: ServeParts): Promise<void> {
  const dir = findProjectDir(jobsFile());
  const http = await importConsole(dir);
  if (http === undefined)
    throw new PlainError('no_console', `The console needs: ${sayInstall(dir, ['@duework/http'], { isDev: true })}`);
  // while the module does not load, which the worker says, the queue can still be looked at
  const { catalog } = await jobs().catch(() => ({ catalog: [] }));
  const handler = http.createQueueHandler({ db: await db(), catalog, authorize: http.authorizeLocal() });
  const listen = http.toNodeListener(handler);
  const server = createServer((incoming, outgoing) => void listen(incoming, outgoing));
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onSignal(stop);
  stopWithParent().addEventListener('abort', stop, { once: true });
  server.listen(port, '127.0.0.1');
  await once(server, 'close');
}
