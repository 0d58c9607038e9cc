import { CallAdmission, type CallBound } from '../enqueue/admit-calls.js';
import { EnqueueGroups } from '../enqueue/group-by-key.js';
import { isClient, recogniseClient, type Queryable } from '@duework/sql';
import type { Producer } from '../ports/producer.js';
import { publishEvent } from '../sql/enqueue/publish-event.js';
import { offloadRuns } from '../objects/offload-runs.js';
import { sendSignal } from '../sql/steps/send-signal.js';
import { writeBatch, writeRuns } from '../enqueue/write-runs.js';

/**
 * Writes runs through `db`. Through a client, at most as many calls as `bound` says are on their way at once, and runs
 * that come one by one share statements, as `EnqueueGroups` says. In a transaction every call is a
 * statement of its own.
 */
export function postgresProducer(
  db: Queryable,
  { noWait, ...bound }: CallBound & { readonly noWait?: Queryable } = {},
): Producer {
  const admission = new CallAdmission(bound);
  const client = recogniseClient(db);
  const others: Pick<Producer, 'sendSignal' | 'insertBatch' | 'publish'> = {
    insertBatch: (batch, runs) => writeBatch(db, batch, runs),
    sendSignal: (signal) => sendSignal(client, signal),
    publish: (event) => publishEvent(client, event),
  };
  if (!isClient(client)) return { ...others, insert: (runs) => writeRuns(db, runs) };
  const groups = new EnqueueGroups(db, noWait);
  return {
    ...others,
    insertBatch: (batch, runs, signal) => admission.run(signal, () => writeBatch(db, batch, runs)),
    insert: (runs, signal) =>
      admission.run(signal, async () => {
        const made = offloadRuns(runs);
        const sent = made instanceof Promise ? await made : made;
        const [run] = sent;
        // what a second one does may depend on the first: each is a statement of its own
        const isShared = sent.length === 1 && run!.unique === null;
        return isShared ? [await groups.enqueue(run!, signal)] : writeRuns(db, sent);
      }),
  };
}
