import { DueworkError, type PublishedEvent } from '@duework/queue-core';

/** Nothing here knows who subscribes: workers tell a database. Throws `not_supported`. */
export async function refusePublish(): Promise<PublishedEvent> {
  throw new DueworkError('not_supported', { asked: 'publish', capability: 'events' });
}
