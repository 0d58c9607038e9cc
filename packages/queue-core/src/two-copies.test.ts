import { expect, jest, test } from '@jest/globals';

test.each([
  ['DueworkError', () => import('@duework/sql/errors').then((own) => own.DueworkError), ['job_not_found', { id: '1' }]],
  ['AbortReason', () => import('./settle/attempt-end.js').then((own) => own.AbortReason), ['timeout', 'late']],
  ['HandlerKilledError', () => import('./settle/attempt-errors.js').then((own) => own.HandlerKilledError), ['killed']],
  [
    'HandlersError',
    () => import('./run/check-handlers.js').then((own) => own.HandlersError),
    ['handler_missing', 'a', 'b'],
  ],
  ['EffectUnknownError', () => import('./effects/effect-errors.js').then((own) => own.EffectUnknownError), ['?']],
  ['EffectMisuseError', () => import('./effects/effect-errors.js').then((own) => own.EffectMisuseError), ['?']],
  ['ContractError', () => import('@duework/contracts').then((own) => own.ContractError), ['invalid_duration', '?']],
] as const)('a %s of one copy of the package is one to another copy', async (_, load, facts) => {
  type Class = { new (...facts: unknown[]): Error; is(error: unknown): boolean };
  const one = (await load()) as unknown as Class;
  jest.resetModules();
  const other = (await load()) as unknown as Class;
  const error = new one(...facts);
  expect(error).not.toBeInstanceOf(other);
  expect(other.is(error)).toBe(true);
  expect([other.is(new Error('?')), other.is(null), other.is({ name: error.name })]).toEqual([false, false, false]);
});

test('another copy tells a refusal by its code, too', async () => {
  const { DueworkError: One } = await import('@duework/sql/errors');
  jest.resetModules();
  const { DueworkError: Other } = await import('@duework/sql/errors');
  const error = new One('job_not_found', { id: '1' });
  expect([Other.is(error, 'job_not_found'), Other.is(error, 'queue_full')]).toEqual([true, false]);
});
