/** What the API does with a bulk action: it starts it, and steps it to its end. */
import { connectPg } from '@duework/database';
import { getBulkAction, startBulkAction, stepBulkActions, undoBulkAction } from '@duework/operate';
import { serveParent } from '../../../kit/serve-parent.js';
import { catalog } from '../measured.js';

const db = connectPg({ url: process.argv[2]!, poolSize: 2 });

async function toItsEnd(id: string): Promise<object> {
  await stepBulkActions(db, catalog, new AbortController().signal);
  const { done, createdAt, finishedAt } = await getBulkAction(db, id);
  return { id, done, ms: finishedAt!.getTime() - createdAt.getTime() };
}

serveParent(
  {
    retry: async ({ perSecond }: { perSecond?: number }) =>
      toItsEnd(
        (await startBulkAction(db, catalog, { verb: 'retry', filter: 'type:revived error:ECONNREFUSED', perSecond }))
          .id,
      ),
    undo: async ({ id }: { id: string }) => toItsEnd((await undoBulkAction(db, id)).id),
  },
  { isFailureTold: true },
);
