import type { Server } from 'node:http';

/** How often idle connections are closed: a client that keeps one open would delay the end of the process. */
const CHECK_EVERY_MS = 50;

/**
 * Takes no new connection and waits for the requests in progress, for up to `graceMs`; then it cuts the rest. Returns
 * whether all were answered.
 */
export async function stopServer(server: Server, graceMs: number): Promise<boolean> {
  let areAllAnswered = true;
  const idle = setInterval(() => server.closeIdleConnections(), CHECK_EVERY_MS);
  const limit = setTimeout(() => {
    areAllAnswered = false;
    server.closeAllConnections();
  }, graceMs);
  await new Promise<void>((resolve) => {
    // Its only error is that the server was not listening yet, which is as good.
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearInterval(idle);
  clearTimeout(limit);
  return areAllAnswered;
}
