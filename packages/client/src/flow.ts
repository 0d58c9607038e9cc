import type { Duration, FlowKind } from '@duework/contracts';
import type { RequestOptions } from './request-options.js';

/** The terms of a rule; its kind decides which exist. */
export interface FlowTerms {
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
  readonly kind: FlowKind;
  /** What the contracts declare. */
  readonly declared: FlowTerms;
  /** Set by an operator instead; null: nothing. */
  readonly changed: FlowTerms | null;
  readonly changedBy: string | null;
  readonly changedAt: Date | null;
  /** What holds. */
  readonly terms: FlowTerms;
  readonly types: readonly string[];
  /** How many keys it has, how many jobs hold one and how many wait at one; `isAtLeast`: only a part was looked at. */
  readonly keys: number;
  readonly running: number;
  /** Units that these hold. */
  readonly used: number;
  readonly waiting: number;
  /** Since when the longest waiting job waits; null: none waits. */
  readonly waitingSince: Date | null;
  readonly isAtLeast: boolean;
  /** How many of its keys are closed now, and until when at the latest. */
  readonly closed: number;
  readonly closedUntil: Date | null;
  /** Of a breaker: how many of its keys let in one at a time; of an order: at how many others wait behind a dead job. */
  readonly trying: number;
  readonly blocked: number;
}

/** A change of a rule; null of a field takes back an earlier change. */
export interface FlowChange {
  readonly max?: number | null | undefined;
  readonly per?: Duration | null | undefined;
  readonly burst?: number | null | undefined;
  readonly share?: number | null | undefined;
  readonly of?: number | null | undefined;
  readonly pause?: Duration | null | undefined;
}

/** What a change would do. */
export interface FlowPreview {
  readonly before: FlowTerms;
  readonly after: FlowTerms;
  readonly running: number;
  readonly waiting: number;
  /** Of a limit: how many would be let in at once, and how many units run above the new bound until they end. */
  readonly letIn: number | null;
  readonly over: number | null;
  readonly isAtLeast: boolean;
}

/** A job that holds a key. */
export interface FlowHolder {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly units: number;
  /** When it was claimed, or let in. */
  readonly since: Date;
  /** Until when its lease holds; null: it has none. */
  readonly lockedUntil: Date | null;
  readonly worker: string | null;
}

/** A key of a rule. */
export interface FlowKey {
  /** `limit/send_mail.accountId/7` */
  readonly key: string;
  /** Its value; null: the rule has one key for all jobs. */
  readonly value: string | null;
  /** How many units are held; and the first twenty of those that hold them. */
  readonly used: number;
  readonly holders: readonly FlowHolder[];
  readonly waiting: number;
  readonly waitingIsAtLeast: boolean;
  /** Since when the longest waiting job waits; null: none waits. */
  readonly waitingSince: Date | null;
  /** Of a tenant for which some wait: its turns for one of weight 1. */
  readonly weight: number | null;
  /** Of a rate: when its next unit is free; null: now. */
  readonly nextAt: Date | null;
  /** Nothing is let in before; null: it is not closed. */
  readonly closedUntil: Date | null;
  /** Of a breaker: `open` lets no run in, `trying` one at a time until one has succeeded. */
  readonly breaker: 'closed' | 'open' | 'trying' | null;
  readonly failed: number | null;
  readonly attempts: number | null;
}

export interface FlowKeyQuery {
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** Only keys whose value begins with it. */
  readonly value?: string | undefined;
  /** Only keys that are held, waited for or closed. */
  readonly busy?: boolean | undefined;
}

export interface FlowKeyPage {
  readonly keys: readonly FlowKey[];
  /** Pass it as `cursor` for the next page; null: this was the last page. */
  readonly nextCursor: string | null;
}

/** Of a request that changes something. */
export interface FlowRequest extends RequestOptions {
  /** Why, for the audit. */
  readonly reason?: string | undefined;
}

/** Flow control: rules are named by kind and name, `limit/smtp`, keys by a value after it. */
export interface FlowClient {
  /** The rules, by their names. */
  list(options?: RequestOptions): Promise<FlowRuleState[]>;
  /** One of them. */
  get(rule: string, options?: RequestOptions): Promise<FlowRuleState>;
  /** Its keys, by their text. Those that are by a value of payloads need the scope `payloads`. */
  keys(rule: string, page?: FlowKeyQuery, options?: RequestOptions): Promise<FlowKeyPage>;
  /** Shows the effect of a change, and changes nothing. */
  preview(rule: string, change: FlowChange | null, options?: RequestOptions): Promise<FlowPreview>;
  /** Overrides a rule, whatever deploys declare, until you take it back; null takes all back. */
  change(rule: string, change: FlowChange | null, request?: FlowRequest): Promise<FlowRuleState>;
  /** Closes a key for this long; running jobs go on. */
  close(key: string, duration: Duration, request?: FlowRequest): Promise<FlowKey>;
  /** Opens it at once; a breaker forgets failures. */
  open(key: string, request?: FlowRequest): Promise<FlowKey>;
}
