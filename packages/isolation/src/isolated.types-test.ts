/** Compiled, never run: every line that must not compile is marked, and an unused mark is an error itself. */
import { defineCatalog, defineJob } from '@duework/contracts';
import { z } from 'zod';
import type { Handlers } from '@duework/queue-core';
import { complete } from '@duework/queue-core/handling';
import { defineIsolated } from './define-isolated.js';
import { isolated } from './isolated.js';

const render = defineJob({
  type: 'render',
  payload: z.object({ report: z.int() }),
  result: z.object({ pages: z.int() }),
  isolate: { memoryMb: 256 },
});
const mail = defineJob({ type: 'mail', payload: z.object({ to: z.string() }) });
const catalog = defineCatalog([render, mail]);
const module = new URL('file:///render.js');

export const handlers: Handlers<typeof catalog> = { render: isolated(module), mail: () => {} };
export const plainForIsolated: Handlers<typeof catalog> = {
  // @ts-expect-error a contract with isolate needs isolated()
  render: () => {},
  mail: () => {},
};
export const isolatedForPlain: Handlers<typeof catalog> = {
  render: isolated(module),
  // @ts-expect-error a contract without isolate must not have it
  mail: isolated(module),
};
// @ts-expect-error a module is named by a URL
isolated('./render.js');

// the module
export const rendering = defineIsolated(render, async ({ payload, once, signal }) => {
  signal.throwIfAborted();
  const pages = await once('print', () => payload.report satisfies number);
  return complete({ pages });
});
// @ts-expect-error the payload of another type
defineIsolated(render, ({ payload }) => void payload.to);
// @ts-expect-error a transaction cannot leave the worker's process
defineIsolated(render, ({ completeIn }) => void completeIn);
// @ts-expect-error the result is not the contract's
defineIsolated(render, () => complete({ sheets: 1 }));
// @ts-expect-error not an outcome
defineIsolated(render, () => 42);
