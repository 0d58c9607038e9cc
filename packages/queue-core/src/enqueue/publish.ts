import type { EventContract, EventInput } from '@duework/contracts';
import { recogniseClient, type Queryable } from '@duework/sql';
import type { PublishedEvent } from '../ports/producer.js';
import { publishEvent } from '../sql/enqueue/publish-event.js';
import { makeNewEvent, type PublishOptions } from './make-new-event.js';
import { publishThroughHook } from './send-through-hook.js';

/**
 * Publishes an event through `db`: a client, or the transaction of the caller's own write. Each type that subscribes gets
 * a job, in that transaction and in one statement, however many they are. Who subscribes is what workers have told the
 * database: this program needs no code of theirs. Returns the jobs; with a key that was published before, those of that
 * time.
 *
 * Throws as `enqueue`, of what concerns a payload, a key, `meta` and the transaction.
 */
export async function publish<E extends EventContract>(
  db: Queryable,
  event: E,
  payload: EventInput<E>,
  options: PublishOptions = {},
): Promise<PublishedEvent> {
  return publishThroughHook(makeNewEvent(event, payload, options), (sent) => publishEvent(recogniseClient(db), sent));
}
