import type { JobContext, Json } from '@duework/queue-core';
import { carryOnce, type OnceCall } from './carry-once.js';
import { decodeFacts } from './wire/decode-facts.js';
import type { ThreadRequest, ToThread } from './wire/messages.js';

export interface ThreadService {
  receive(request: ThreadRequest): void;
  /** The thread has ended. Resolves when nothing it asked for is on its way to the database any more. */
  close(): Promise<void>;
}

/** Carries out the requests of a handler's thread, with the context of its attempt. */
export function serveThread({ log, progress, once }: JobContext, post: (message: ToThread) => void): ThreadService {
  const calls = new Map<number, OnceCall>();
  return {
    receive(request) {
      switch (request.kind) {
        case 'log':
          return log[request.level](decodeFacts(request.facts), request.message);
        case 'progress':
          return progress(JSON.parse(request.json) as Json);
        case 'once':
          return void calls.set(request.call, carryOnce(once, request, post));
        case 'begin_effect':
          return void calls.get(request.call)?.beginEffect();
        case 'effect_ended':
          return calls.get(request.call)?.endEffect(request.ending);
      }
    },
    async close() {
      await Promise.all([...calls.values()].map((call) => call.close()));
    },
  };
}
