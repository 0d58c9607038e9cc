import { ClientError } from '@duework/client';
import { expect, test } from '@jest/globals';
import { tellError } from './tell-error.js';

const told = (message: string, issues: ClientError['issues']): string =>
  tellError(new ClientError('invalid_option', message, { status: 422, issues }), undefined);

test('what an API says twice is told once, and what only its fields say is told behind it', () => {
  const wrong = '"ana@example.org" belongs to no field.';
  expect(told(`The filter is not valid: ${wrong}`, [{ pointer: '', message: wrong }])).toBe(
    `The filter is not valid: ${wrong}`,
  );
  expect(told('It is not valid. /email: is no address', [{ pointer: '/email', message: 'is no address' }])).toBe(
    'It is not valid. /email: is no address',
  );
  expect(told('It is not valid.', [{ pointer: '/n', message: 'is no number.' }])).toBe(
    'It is not valid. /n is no number.',
  );
});
