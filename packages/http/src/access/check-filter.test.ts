import { defineCatalog, defineJob } from '@duework/contracts';
import { readFilter } from '@duework/operate';
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkFilter } from './check-filter.js';
import type { Scope } from './principal.js';

const pay = defineJob({
  type: 'pay',
  payload: z.object({ orderId: z.int(), card: z.object({ iban: z.string().max(30) }) }),
  sensitive: ['/card/iban'],
});
const ask =
  (filter: string, ...scopes: Scope[]) =>
  () =>
    checkFilter(
      defineCatalog([pay]),
      { id: 'key:1', name: 'key:a', kind: 'key', scopes, types: null, from: null },
      readFilter(filter),
    );

test('a filter asks about payloads only for who may read them', () => {
  for (const filter of [
    'payload.orderId:1',
    'status:dead -payload.orderId:1',
    'gate:limit/send_mail.accountId/7',
    'tenant:acme',
  ])
    expect(ask(filter, 'read', 'operate')).toThrow('payloads');
  for (const filter of ['payload.orderId:1', 'gate:limit/send_mail.accountId/7 tenant:acme'])
    expect(ask(filter, 'read', 'payloads')).not.toThrow();
  for (const filter of ['type:pay code:ECONNREFUSED', 'held:any gate:limit/smtp,pause/type/send_mail'])
    expect(ask(filter, 'read')).not.toThrow();
});

test('a filter asks about what a contract calls sensitive, or what holds it, only for who may see it', () => {
  for (const filter of ['payload.card.iban:DE89', '-payload.card.iban:DE89', 'payload.card:null'])
    expect(ask(filter, 'read', 'payloads')).toThrow('sensitive');
  expect(ask('payload.card.iban:DE89', 'read', 'sensitive')).not.toThrow();
});
