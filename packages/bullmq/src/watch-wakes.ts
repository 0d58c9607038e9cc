import type { WakeMessage } from '@duework/queue-core/ports';
import type { Queues } from './redis/queues.js';

/** Reports what producers and operators tell over Redis, on a connection of its own, until the returned function ends it. */
export function watchWakes(queues: Queues, listener: (message: WakeMessage) => void): () => void {
  const subscriber = queues.redis.duplicate();
  let isOver = false;
  const failed = (error: unknown): void => {
    if (!isOver) listener({ kind: 'listen_failed', error });
  };
  subscriber.on('error', failed);
  subscriber.on('close', () => failed(new Error('The connection to Redis that receives wake-ups is closed.')));
  subscriber.on('message', (_: string, text: string) => listener(readMessage(text)));
  // once more after each new connection
  const listen = (): void => {
    subscriber.subscribe(queues.key('wakes')).then(() => {
      if (!isOver) listener({ kind: 'listening' });
    }, failed);
  };
  subscriber.on('ready', listen);
  return () => {
    isOver = true;
    subscriber.disconnect();
  };
}

/** Whoever may write to this Redis may publish anything: what is no message of ours is a reason to look. */
function readMessage(text: string): WakeMessage {
  try {
    const message = JSON.parse(text) as WakeMessage;
    if (message.kind === 'woken' || message.kind === 'cancel_requested') return message;
  } catch {
    // it is no JSON
  }
  return { kind: 'woken', queue: null };
}
