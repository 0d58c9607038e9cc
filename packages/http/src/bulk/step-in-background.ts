import { stepBulkActions } from '@duework/operate';
import type { ApiParts } from '../api.js';

const CHECK_MS = 250;

/**
 * Moves bulk actions on in this process, behind the answers: what it is called for begins at once. When the process stops
 * or dies, any worker goes on with it.
 */
export function createStepper({ db, catalog, isStopping, log }: ApiParts): () => void {
  let isWanted = false;
  let isStepping = false;
  async function step(): Promise<void> {
    const controller = new AbortController();
    const timer = setInterval(() => isStopping() && controller.abort(), CHECK_MS);
    timer.unref();
    try {
      while (isWanted && !isStopping()) {
        isWanted = false;
        await stepBulkActions(db, catalog, controller.signal);
      }
    } catch (error) {
      // a worker tries again
      log.warn({ err: error }, 'bulk_actions.failed');
    } finally {
      clearInterval(timer);
      isStepping = false;
    }
  }
  return () => {
    isWanted = true;
    if (isStepping) return;
    isStepping = true;
    void step();
  };
}
