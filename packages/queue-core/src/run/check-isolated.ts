import type { Engine } from '../worker/engine.js';
import { DEFAULT_MEMORY_MB } from './isolated-handler.js';

/**
 * Loads the module of each isolated handler once, before anything is claimed: a file that is missing or that Node cannot
 * load ends the start, and not the jobs. One after the other, because each takes a process.
 *
 * @throws the handler's own coded error, for the first that cannot be loaded
 */
export async function checkIsolated(
  { catalog, handlerOf, clock }: Pick<Engine, 'catalog' | 'handlerOf' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  for (const { type, isolate } of catalog) {
    const handler = handlerOf.get(type);
    if (typeof handler !== 'object' || signal.aborted) continue;
    const memoryMb = isolate?.memoryMb ?? DEFAULT_MEMORY_MB;
    await handler.check({ type, memoryMb, signal, clock });
  }
}
