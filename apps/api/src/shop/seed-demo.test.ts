import { useTestApi } from '@duework/http/testing';
import { expect, test } from '@jest/globals';
import { seedDemo } from './seed-demo.js';
import { shopRoutes } from './shop-routes.js';

const api = useTestApi(() => ({}), shopRoutes);

const count = async () => ({
  users: await api.db.user.count(),
  orders: await api.db.order.count(),
  sessions: await api.db.session.count(),
});

test('the demo data exists once, however often it is written, even at the same time', async () => {
  const seeds = await Promise.all([seedDemo(api.db), seedDemo(api.db), seedDemo(api.db)]);
  expect(new Set(seeds.map(({ orderId }) => orderId)).size).toBe(1);
  expect(await count()).toEqual({ users: 2, orders: 1, sessions: 1 });
  const { orderId } = await seedDemo(api.db);
  expect((await api.get(`/v1/orders/${orderId}`)).body).toMatchObject({ status: 'PENDING', totalCents: 2_990 });
  await api.post(`/v1/orders/${orderId}/pay`);
  expect(await seedDemo(api.db)).toEqual({ orderId, orderStatus: 'PAID' });
  expect(await count()).toEqual({ users: 2, orders: 1, sessions: 1 });
});
