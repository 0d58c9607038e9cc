import type { Store } from '@duework/queue-core';
import type { EffectHolder } from './hold-effects.js';

/** The same store, in which a handler can be held when it is about to begin an effect, or was just told that it may. */
export function watchEffects(store: Store, holder: EffectHolder): Store {
  return {
    ...store,
    async beginEffect(request) {
      const about = { run: request.id, type: request.type, fence: request.fence };
      await holder.pass('begin.before', about);
      const answer = await store.beginEffect(request);
      if (answer.kind === 'begun') await holder.pass('begin.answered', about);
      return answer;
    },
  };
}
