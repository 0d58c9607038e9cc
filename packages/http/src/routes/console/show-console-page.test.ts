import { expect, test } from '@jest/globals';
import { createKey } from '@duework/operate';
import { authorizeByKey } from '../../access/authorize/authorize-by-key.js';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi(({ db }) => ({ authorize: authorizeByKey(db) }));
const below = useTestApi(() => ({ basePath: '/admin/queue' }));

/** The addresses of what a page loads, as a browser resolves them. */
function loaded(page: string, url: string): string[] {
  const base = new URL(/<base href="([^"]*)"/.exec(page)![1]!, url);
  return [...page.replace(/<base [^>]*>/, '').matchAll(/(?:src|href)="(\.[^"]*)"/g)].map(
    ([, address]) => new URL(address!, base).href,
  );
}

test.each(['/console', '/console/', '/console/jobs', '/console/jobs/42'])(
  'the console is at %s, and everything that its page loads is there',
  async (path) => {
    for (const [{ get, url }, prefix] of [
      [api, ''],
      [below, '/admin/queue'],
    ] as const) {
      const page = await get(prefix + path);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
      const addresses = loaded(page.text, url + prefix + path);
      expect(addresses.length).toBeGreaterThan(3);
      for (const address of addresses) {
        expect(address).toMatch(`${url}${prefix}/console/`);
        const file = await get(address.slice(url.length));
        expect([address, file.status, file.headers.get('content-type')]).toEqual([
          address,
          200,
          expect.not.stringContaining('html'),
        ]);
      }
    }
  },
);

test('the page runs files of its own server alone, and nothing that stands in it', async () => {
  const page = await api.get('/console');
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
  expect(page.text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
});

test('a file whose name changes with its content is kept by browsers, and an old name is refused', async () => {
  const page = await api.get('/console');
  const [script] = loaded(page.text, `${api.url}/console`).filter((address) => address.includes('/assets/'));
  const file = await api.get(script!.slice(api.url.length), { 'Accept-Encoding': 'gzip' });
  expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const again = await api.get(script!.slice(api.url.length), { 'If-None-Match': file.headers.get('etag')! });
  expect(again.status).toBe(304);
  expect((await api.get('/console/assets/index-old.js')).body.code).toBe('not_found');
});

test('the licences of what the console is made of are beside it', async () => {
  expect((await api.get('/console/licences.md')).text).toMatch(/react-dom/);
});

test('a key is told who it is and what it may do', async () => {
  const { text } = await createKey(api.db, { name: 'ana', scopes: ['read', 'enqueue'], types: ['send_receipt'] });
  const { status, body } = await api.get('/v1/principal', { Authorization: `Bearer ${text}` });
  expect([status, body]).toEqual([
    200,
    {
      name: 'key:ana',
      kind: 'key',
      scopes: expect.arrayContaining(['read', 'enqueue']),
      types: expect.anything(),
      refuses: expect.arrayContaining([
        {
          operation: 'listQueues',
          why: 'key:ana is for jobs of the type send_receipt alone, and this is about all of them.',
        },
        { operation: 'retryJob', why: 'key:ana lacks the scope operate.' },
      ]),
      queue: {
        kind: 'PostgreSQL',
        capabilities: {
          transactional: true,
          lists: true,
          priorities: true,
          flow: true,
          steps: true,
          batches: true,
          unique: true,
          terms: true,
          events: true,
          objects: true,
        },
        keepsAnswers: true,
        filters: null,
        refuses: [],
      },
    },
  ]);
});
