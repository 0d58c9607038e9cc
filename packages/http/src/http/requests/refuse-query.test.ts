import { expect, test } from '@jest/globals';
import { useTestApi } from '../../testing/use-test-api.js';

const api = useTestApi();

test.each(['/v1/queues?queue=mail', '/v1/workers?live', '/v1/jobs/1/explain?full=1', '/v1/jobs?filtre=status:dead'])(
  'a parameter that a route does not have is refused, also where it has none: %s',
  async (path) => {
    const { status, body } = await api.get(path);
    expect([status, body.code]).toEqual([400, 'invalid_query']);
    expect(body.errors[0].parameter).toBe(/\?(\w+)/.exec(path)![1]);
    expect(body.errors[0].message).toMatch(/^There is no such parameter; (this route has none|there are )/);
  },
);

test('a pair without a name is nothing', async () => {
  expect((await api.get('/v1/queues?&=')).status).toBe(200);
});
