import type { Duration } from '@duework/contracts';

export const RULE_KINDS = ['limit', 'rate', 'order', 'tenant', 'breaker'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** The terms of a rule, as declared, changed or in force; its kind decides which exist. */
export interface RuleTerms {
  /** Of a limit how many units at once, of a rate how many in `perMs`. */
  readonly max?: number;
  readonly perMs?: number;
  readonly burst?: number;
  /** Of a breaker: it opens for `pauseMs` if this share of its last `of` attempts has failed. */
  readonly share?: number;
  readonly of?: number;
  readonly pauseMs?: number;
  readonly onFailure?: 'wait' | 'step_over';
  readonly onDead?: 'let_go' | 'block';
}

/** A limit, a rate, an order, the tenants of a queue or a breaker. */
export interface FlowRuleState {
  /** `limit/smtp`: its kind and its name. */
  readonly name: string;
  readonly kind: RuleKind;
  /** What the contracts declare. */
  readonly declared: RuleTerms;
  /** Set by an operator instead, by whom and when; null: nothing. */
  readonly changed: RuleTerms | null;
  readonly changedBy: string | null;
  readonly changedAt: Date | null;
  /** In force: `changed` before `declared`. */
  readonly terms: RuleTerms;
  /** The types whose contracts declare it. */
  readonly types: readonly string[];
  /** How many keys it has, how many runs hold one and how many wait at one; `isAtLeast`: only a part was looked at. */
  readonly keys: number;
  readonly running: number;
  /** Units: what a run takes by its `cost`, one without. */
  readonly used: number;
  readonly waiting: number;
  /** Since when the longest waiting job waits; of an order among those that are next. null: none waits. */
  readonly waitingSince: Date | null;
  readonly isAtLeast: boolean;
  /** How many of these keys are closed now, and until when at the latest. */
  readonly closed: number;
  readonly closedUntil: Date | null;
  /** Of a breaker: how many of its keys let one run in at a time, until one has succeeded. */
  readonly trying: number;
  /** Of an order that dead runs block: at how many of its keys others wait for a person to look at one. */
  readonly blocked: number;
}

/** An operator's change of a rule; null takes back an earlier one. */
export interface FlowChange {
  readonly max?: number | null | undefined;
  readonly per?: Duration | null | undefined;
  readonly burst?: number | null | undefined;
  readonly share?: number | null | undefined;
  readonly of?: number | null | undefined;
  readonly pause?: Duration | null | undefined;
}

/** The effect of a change of a rule. */
export interface FlowPreview {
  readonly before: RuleTerms;
  readonly after: RuleTerms;
  readonly running: number;
  readonly waiting: number;
  /** Of a limit: how many of those that wait would be let in at once, and how many units run above the new bound until they end. */
  readonly letIn: number | null;
  readonly over: number | null;
  readonly isAtLeast: boolean;
}

/** A run that holds a key. */
export interface KeyHolder {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly units: number;
  /** When it was claimed; not yet: when it was let in. */
  readonly since: Date;
  /** Until when its lease holds; null: it is not claimed yet, or it is dead and blocks an order. */
  readonly lockedUntil: Date | null;
  readonly worker: string | null;
}

/** Which keys of a rule. */
export interface FlowKeyFilter {
  /** Its value begins with this text. */
  readonly value?: string | undefined;
  /** Only those that are held, waited for or closed. */
  readonly isBusy?: boolean | undefined;
}

/** A key of a rule. */
export interface FlowKey {
  readonly key: string;
  /** Its value; null: the rule has one key for all runs. */
  readonly value: string | null;
  /** How many units are held; and the first twenty of those that hold them. Of a tenant: its runs that were let in. */
  readonly used: number;
  readonly holders: readonly KeyHolder[];
  readonly waiting: number;
  readonly waitingIsAtLeast: boolean;
  /** Since when the longest waiting job waits; of an order its next one. null: none waits. */
  readonly waitingSince: Date | null;
  /** Of a tenant for which some wait: how many turns it has for one of a tenant of weight 1. */
  readonly weight: number | null;
  /** Of a rate: when its next unit is free; null: now. */
  readonly nextAt: Date | null;
  /** Nothing is let in before; null: it is not closed. */
  readonly closedUntil: Date | null;
  /** Of a breaker: `open` lets no run in, `trying` one at a time until one has succeeded. */
  readonly breaker: 'closed' | 'open' | 'trying' | null;
  /** Of a breaker: how many of its last attempts have failed, and of how many. */
  readonly failed: number | null;
  readonly attempts: number | null;
}
