import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.js';
import type { Schemas } from './api-types.js';
import { useIsDone } from '../session/use-refusal.js';
import { callApi } from './call-api.js';

export type FlowRule = Schemas['FlowRule'];
export type FlowTerms = Schemas['FlowTerms'];
export type FlowKey = Schemas['FlowKey'];
export type FlowChange = Schemas['FlowChange'];
export type RuleKind = FlowRule['kind'];

export const RULE_KINDS = ['limit', 'rate', 'order', 'tenant', 'breaker'] as const satisfies readonly RuleKind[];

const NOW_EVERY_MS = 3_000;
const PAGE_SIZE = 50;

/** The limits, rates, orders, tenants and breakers: what holds of each, and how many hold it and wait. */
export function useFlowRules() {
  return useQuery({
    queryKey: ['flow'],
    queryFn: ({ signal }) => callApi('listFlowRules', { signal }),
    enabled: useIsDone('listFlowRules'),
    refetchInterval: NOW_EVERY_MS,
  });
}

/** Which keys of a rule. */
export interface KeyFilter {
  /** What they begin with. */
  readonly value: string | undefined;
  /** Only those at which something goes on. */
  readonly isBusy: boolean;
  readonly cursor: string | undefined;
}

/** One page of the keys of a rule. */
export function useFlowKeys({ kind, name }: RuleName, { value, isBusy, cursor }: KeyFilter) {
  const params = { kind, name, value, busy: isBusy, cursor, limit: PAGE_SIZE };
  return useQuery({
    queryKey: ['flow-keys', params],
    queryFn: ({ signal }) => callApi('listFlowKeys', { params, signal }),
    refetchInterval: ({ state }) => (isRefused(state.error) ? false : NOW_EVERY_MS),
    placeholderData: keepPreviousData,
  });
}

/** Keys are made of payloads, which not everybody may read. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.code === 'missing_scope';

/** The name of a rule, `limit/smtp`, as addresses have it. */
export interface RuleName {
  readonly kind: RuleKind;
  readonly name: string;
}

/** Of a rule, or of one of its keys: `limit/send_mail.accountId/7`. */
export function readRuleName(key: string): RuleName {
  const [kind = '', name = ''] = key.split('/');
  return { kind: kind as RuleKind, name };
}
