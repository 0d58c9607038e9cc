import { fileURLToPath } from 'node:url';
import { startWorkerProcess, type WorkerProcess } from '@duework/worker/testing';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Starts the shop's built worker as a process of its own. `nodeArgs` come before the program, `args` after it. */
export function startShopWorker(
  env: Readonly<Record<string, string>>,
  nodeArgs: readonly string[] = [],
  args: readonly string[] = [],
): WorkerProcess {
  return startWorkerProcess(MAIN, { env, nodeArgs, args });
}
