import type { BulkAction } from '@duework/operate';
import type { BulkOperations } from '../operations/bulk-operations.js';
import { pause } from '../output/pause.js';
import type { CommandParts } from '../program-parts.js';
import { showProgress } from './show-bulk-action.js';

const LOOK_MS = 250;

type WatchParts = Pick<CommandParts, 'progress' | 'onSignal'>;

/**
 * Looks at an action until it has ended, and tells its progress. Meanwhile it moves it on, so that an action also ends where
 * no worker runs; whoever else does so shares the steps. Returns the action as it was seen last: still running where a
 * signal has ended the watch.
 */
export async function watchBulkAction(bulk: BulkOperations, id: string, parts: WatchParts): Promise<BulkAction> {
  const leaving = new AbortController();
  parts.onSignal(() => leaving.abort());
  const stepping = bulk
    .step(leaving.signal)
    .catch((error: Error) => parts.progress(`This command steps it no more, workers do: ${error.message}\n`));
  try {
    for (;;) {
      const action = await bulk.get(id);
      parts.progress(`\r${showProgress(action)}  `);
      if (action.status !== 'running' || leaving.signal.aborted) {
        parts.progress('\n');
        return action;
      }
      await pause(LOOK_MS, leaving.signal);
    }
  } finally {
    leaving.abort();
    await stepping;
  }
}
