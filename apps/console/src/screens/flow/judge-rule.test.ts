import { expect, test } from '@jest/globals';
import type { FlowKey, FlowRule } from '../../api/flow-queries.js';
import type { Pause } from '../../api/now-queries.js';
import { judgeKey, judgeRule } from './judge-rule.js';

const rule = (more: Partial<FlowRule>): FlowRule =>
  ({ name: 'limit/smtp', kind: 'limit', types: ['mail'], closed: 0, trying: 0, blocked: 0, ...more }) as FlowRule;
const key = (more: Partial<FlowKey>): FlowKey =>
  ({ holders: [], closedUntil: null, breaker: null, ...more }) as FlowKey;
const pause = (kind: Pause['kind'], name: string): Pause => ({ kind, name }) as Pause;

test('a closed key of a breaker has tripped it, one of anything else is shut', () => {
  expect(judgeRule(rule({}), [])).toBe('open');
  expect(judgeRule(rule({ closed: 1 }), [])).toBe('shut');
  expect(judgeRule(rule({ name: 'breaker/mail', kind: 'breaker', closed: 1, trying: 1 }), [])).toBe('tripped');
  expect(judgeRule(rule({ name: 'breaker/mail', kind: 'breaker', trying: 1 }), [])).toBe('trying');
  const until = '2026-01-31T14:10:00Z';
  expect(judgeKey(key({ closedUntil: until }))).toBe('shut');
  expect(judgeKey(key({ closedUntil: until, breaker: 'open' }))).toBe('tripped');
  expect(judgeKey(key({ breaker: 'trying' }))).toBe('trying');
});

test('an order whose key a dead job holds is blocked', () => {
  expect(judgeRule(rule({ kind: 'order', blocked: 1 }), [])).toBe('blocked');
  expect(judgeKey(key({ holders: [{ status: 'dead' } as FlowKey['holders'][number]] }))).toBe('blocked');
});

test('it is paused where all its types are, or the queue whose tenants take turns', () => {
  expect(judgeRule(rule({ types: ['mail', 'letter'] }), [pause('type', 'mail')])).toBe('open');
  expect(judgeRule(rule({}), [pause('type', 'mail')])).toBe('paused');
  const tenants = rule({ name: 'tenant/mail', kind: 'tenant' });
  expect(judgeRule(tenants, [pause('queue', 'other')])).toBe('open');
  expect(judgeRule(tenants, [pause('queue', 'mail')])).toBe('paused');
});
