import { defineCatalog, defineJob } from '@duework/contracts';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkHandlers, HandlersError } from './check-handlers.js';
import { createWorker } from '../worker/create-worker.js';
import { isolated } from '@duework/isolation';
import { silentLog } from '@duework/testing';

const catalog = defineCatalog([
  defineJob({ type: 'render', payload: z.object({}), isolate: {} }),
  defineJob({ type: 'mail', payload: z.object({}) }),
]);
const render = isolated(new URL('file:///render.js'));
const mail = (): void => {};

test('checkHandlers keeps each fitting handler under its type', () => {
  expect([...checkHandlers(catalog, { render, mail })]).toEqual([
    ['render', render],
    ['mail', mail],
  ]);
});

test.each([
  ['a missing handler', { render }, 'handler_missing', 'mail'],
  ['a function for an isolated contract', { render: mail, mail }, 'isolated_handler_expected', 'render'],
  ['a module for a contract without isolation', { render, mail: render }, 'plain_handler_expected', 'mail'],
  [
    'something else',
    { render: { kind: 'isolated', module: './render.js' }, mail },
    'isolated_handler_expected',
    'render',
  ],
])('createWorker refuses %s', (_, handlers, code, type) => {
  const build = () =>
    createWorker({
      name: 'w',
      store: {} as never,
      emit: () => {},
      logOf: () => silentLog,
      catalog,
      handlers: handlers as never,
    });
  expect(build).toThrow(HandlersError);
  expect(build).toThrow(expect.objectContaining({ code, type, message: expect.stringContaining(type) }));
});
