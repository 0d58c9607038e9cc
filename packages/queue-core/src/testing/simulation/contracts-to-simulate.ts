import { defineCatalog, defineJob, exponential, fixed } from '@duework/contracts';
import { z } from 'zod';

const payload = z.object({ job: z.int() });

/** Asks a person about an effect that may have happened. */
export const send = defineJob({ type: 'send', payload, lease: '1s', timeout: '4s', retry: fixed('200ms') });

/** Does an effect again that may have happened; gives its run back at once when its worker stops. */
export const post = defineJob({
  type: 'post',
  payload,
  queue: 'aside',
  lease: '2s',
  timeout: '1500ms',
  retry: exponential({ base: '100ms' }),
  effects: 'at_least_once',
  onShutdown: 'release',
});

/** Has little time, and is dropped by a worker that stops. */
export const tidy = defineJob({
  type: 'tidy',
  payload,
  lease: '1s',
  timeout: '600ms',
  retry: fixed('1s'),
  onShutdown: 'drop',
});

export const catalogToSimulate = defineCatalog([send, post, tidy]);
