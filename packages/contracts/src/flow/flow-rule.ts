import type { FlowValue } from './flow-options.js';

/**
 * The kinds of rules, in the order in which a run asks its gates: of those in an order only the first is in any other
 * line, so that a turn or a priority cannot bring another one before it.
 */
export const FLOW_KINDS = ['order', 'tenant', 'breaker', 'limit', 'rate'] as const;
export type FlowKind = (typeof FLOW_KINDS)[number];

/** A rule as a contract declares it and the database keeps it. */
export type DeclaredRule =
  | { readonly max: number }
  | { readonly max: number; readonly perMs: number; readonly burst: number }
  | { readonly onFailure: 'wait' | 'step_over'; readonly onDead: 'let_go' | 'block' }
  | { readonly share: number; readonly of: number; readonly pauseMs: number }
  | { readonly [none: string]: never };

/** A rule of a contract: the gate that its runs must pass, and how much they take there. */
export interface FlowRule {
  /** `<kind>/<name>`; types whose rules have one name share it. */
  readonly name: string;
  readonly kind: FlowKind;
  readonly declared: DeclaredRule;
  /** The names that lead to a value in the payload, or a function; null: all runs together. */
  readonly by: readonly string[] | { bivariant(payload: unknown): FlowValue }['bivariant'] | null;
  /** How much a run takes, of a tenant its weight: a number, the names that lead to one, or a function. */
  readonly units: number | readonly string[] | { bivariant(payload: unknown): number }['bivariant'];
}

/** In the order of their kinds. */
export type FlowRules = readonly FlowRule[];

/** The most that a run may take of a gate. */
export const MAX_UNITS = 1_000_000;
