import type { EventContract } from '@duework/contracts';
import type { ApiParts } from '../../api.js';

/** The events that an API can publish: those it is given, and those to which a type of its catalog subscribes. */
export function knownEvents({ catalog, events = [] }: Pick<ApiParts, 'catalog' | 'events'>): readonly EventContract[] {
  const known = new Map<string, EventContract>();
  for (const { subscription } of catalog)
    if (subscription !== null) known.set(subscription.event.name, subscription.event);
  for (const event of events) known.set(event.name, event);
  return [...known.values()];
}
