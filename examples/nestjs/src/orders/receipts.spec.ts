import { DiscoveryModule } from '@nestjs/core';
import { Test, type TestingModule } from '@nestjs/testing';
import { defineCatalog, defineJob } from 'duework';
import { performJob } from 'duework/testing';
import { z } from 'zod';
import { collectHandlers } from '../jobs/collect-handlers';
import { catalog, sendReceipt } from './orders.contracts';
import { OrdersService } from './orders.service';
import { Receipts } from './receipts';

const markReceiptSent = jest.fn(async () => {});

function createApp(): Promise<TestingModule> {
  const orders = { provide: OrdersService, useValue: { markReceiptSent } };
  return Test.createTestingModule({ imports: [DiscoveryModule], providers: [Receipts, orders] }).compile();
}

it('sends the receipt of the order', async () => {
  const handlers = collectHandlers(await createApp(), catalog);
  const performed = await performJob(sendReceipt, { orderId: 7, email: 'ada@example.com' }, handlers);
  expect(performed).toMatchObject({ outcome: 'complete' });
  expect(markReceiptSent).toHaveBeenCalledWith(7);
});

it('does not start when a type of the catalog has no handler', async () => {
  const app = await createApp();
  const forgotten = defineJob({ type: 'forgotten', payload: z.object({}) });
  const wanted = defineCatalog([sendReceipt, forgotten]);
  expect(() => collectHandlers(app, wanted)).toThrow('No method has @Handles of forgotten.');
});
