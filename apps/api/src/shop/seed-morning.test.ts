import { useTestApi } from '@duework/http/testing';
import { expect, test } from '@jest/globals';
import { seedDemo } from './seed-demo.js';
import { seedMorning } from './seed-morning.js';
import { shopRoutes } from './shop-routes.js';

const api = useTestApi(() => ({}), shopRoutes);

test('the morning happens once, however often it is written, even at the same time, and leaves the first order to be paid', async () => {
  const { orderId } = await seedDemo(api.db);
  await Promise.all([seedMorning(api.db), seedMorning(api.db)]);
  await seedMorning(api.db);
  expect(await api.db.order.count({ where: { status: 'PAID' } })).toBe(61);
  expect((await api.get(`/v1/orders/${orderId}`)).body.status).toBe('PENDING');
  expect(await api.db.jobRun.groupBy({ by: ['jobType'], _count: true, orderBy: { jobType: 'asc' } })).toEqual([
    { jobType: 'send_invoice', _count: 61 },
    { jobType: 'send_receipt', _count: 8 },
  ]);
  const { jobs } = (await api.get('/v1/jobs?filter=status:succeeded+type:send_receipt&limit=100')).body;
  expect(jobs).toHaveLength(100);
  const { figures } = (await api.get('/v1/figures?step=whole')).body;
  const past = await api.db.jobHistory.count();
  expect(figures).toMatchObject([{ type: 'send_receipt', succeeded: past, failed: expect.any(Number) }]);
  expect(await api.db.jobAttempt.count()).toBe(figures[0].failed);
});
