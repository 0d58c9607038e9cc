import { createTemplateDatabase } from '@duework/database/testing';
import { startTestServer } from '@duework/embedded';
import { cleanUpAtExit, onEnd } from './clean-up.js';

/**
 * Gives `work` the URL of a fresh database on a server of its own, and removes both afterwards, even when the tool is
 * interrupted.
 *
 * @param options `isMigrated: false` makes an empty one; `isDurable: true` on a server with the settings of production
 */
export async function withFreshDatabase<T>(
  work: (url: string) => Promise<T>,
  { isMigrated = true, isDurable = false }: { readonly isMigrated?: boolean; readonly isDurable?: boolean } = {},
): Promise<T> {
  cleanUpAtExit();
  let stopNow = (): void => {};
  let isStopped = false;
  const end = onEnd(() => {
    if (!isStopped) stopNow();
  });
  const server = await startTestServer({ isDurable, onPrepared: (stop) => (stopNow = stop) });
  try {
    if (!isMigrated) return await work(server.url);
    const template = await createTemplateDatabase(server.url);
    const url = new URL(server.url);
    url.pathname = `/${template.name}`;
    return await work(url.toString());
  } finally {
    await server.stop();
    isStopped = true;
    end();
  }
}
