import { setTimeout as pause } from 'node:timers/promises';

/** So long may take what a test has asked to end: the handshake of a socket that closes, a process that stops. */
const LIMIT_MS = 20_000;

type Counts = Map<string, number>;

/**
 * Remembers what keeps this process from ending: sockets, timers, processes, threads. The function that it returns waits until
 * there is no more than that, and answers with the rest: [] where everything has ended, ['TCPSocketWrap 2'] for two open sockets.
 */
export function watchOpen(limitMs = LIMIT_MS): () => Promise<string[]> {
  const before = countOpen();
  return async () => {
    const endMs = performance.now() + limitMs;
    for (;;) {
      // not among what keeps the process
      await pause(5, undefined, { ref: false });
      const left = [...countOpen()]
        .map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)] as const)
        .filter(([, count]) => count > 0);
      if (left.length === 0 || performance.now() > endMs) return left.map(([kind, count]) => `${kind} ${count}`);
    }
  };
}

function countOpen(): Counts {
  const counts: Counts = new Map();
  // a process that is left is told itself; the pipes to jest are opened when something first writes or reads
  for (const kind of process.getActiveResourcesInfo().filter((kind) => kind !== 'PipeWrap'))
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}
