import { expect, test } from '@jest/globals';
import { createKey } from '@duework/operate';
import { authorizeByKey } from '../access/authorize/authorize-by-key.js';
import { createQueueHandler } from '../create-queue-handler.js';
import { useTestApi } from '../testing/use-test-api.js';
import { checkLinks } from './check-links.js';

const logs = { words: 'Logs', href: 'https://logs.example.com/?job={id}&on={workerId}', where: 'attempt' } as const;
const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db), consoleLinks: checkLinks([logs]) }));

test('links to logs and traces are taken as they are', () => {
  const links = [
    logs,
    { words: 'Trace', href: 'http://127.0.0.1:16686/trace/{traceId}', where: 'job' },
    { words: 'Host', href: 'https://hosts/{workerId}', where: 'worker' },
  ] as const;
  expect(checkLinks(links)).toEqual(links);
});

test.each([
  ['a link without words', { words: ' ' }, 'words'],
  ['words of two lines', { words: 'a\nb' }, 'words'],
  ['a place that is none', { where: 'queue' }, 'where'],
  ['a script', { href: 'javascript:alert({id})' }, 'href'],
  ['a script in capitals behind blanks', { href: ' JavaScript:alert(1)' }, 'href'],
  ['data', { href: 'data:text/html,{id}' }, 'href'],
  ['an address without a host', { href: '/logs/{id}' }, 'href'],
  ['a host that a job would name', { href: 'https://{queue}.example.com/' }, 'href'],
  ['a port that a job would name', { href: 'https://logs:{id}/' }, 'href'],
  ['a password', { href: 'https://ana:secret@logs/{id}' }, 'href'],
  ['a name that nothing has', { href: 'https://logs/{jobId}' }, 'href'],
  ['a name that a worker does not have', { href: 'https://logs/{id}', where: 'worker' }, 'href'],
  ['no address', { href: undefined }, 'href'],
])('%s is refused before the server starts, with what is wrong', (_, change, name) => {
  const links = [logs, { ...logs, ...change } as never];
  const wrong = expect.objectContaining({
    code: 'invalid_option',
    facts: expect.objectContaining({ option: `links[1].${name} of console` }),
  });
  expect(() => checkLinks(links)).toThrow(wrong);
  expect(() => createQueueHandler({ db: api.db, catalog: [], console: { links } })).toThrow(wrong);
});

test('more than twenty are refused', () => {
  expect(() => checkLinks(Array.from({ length: 21 }, () => logs))).toThrow('a list of at most 20 links');
});

test('the console is told them, and whoever has no key is not', async () => {
  const { text } = await createKey(api.db, { name: 'reader', scopes: ['read'] });
  const { status, body } = await api.get('/v1/console/links', { Authorization: `Bearer ${text}` });
  expect([status, body]).toEqual([200, { links: [logs] }]);
  expect((await api.get('/v1/console/links')).status).toBe(401);
});
