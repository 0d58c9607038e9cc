import type { Approval, ApprovalQuestion } from '@duework/queue-core';

/**
 * `waiting`: somebody may decide. `decided`: somebody has. `over`: the time is over, an operator has ended the wait, or the
 * job has ended. `not_yet`: its job is about to wait for it.
 */
export const APPROVAL_STATES = ['waiting', 'decided', 'over', 'not_yet'] as const;

/** What a job asks people, and what has become of it. */
export interface ApprovalState extends ApprovalQuestion {
  /** The name of its wait. */
  readonly name: string;
  readonly state: (typeof APPROVAL_STATES)[number];
  /** When it ends by itself; null: never. */
  readonly until: Date | null;
  readonly decision: Approval | null;
}

/** Why nobody is allowed to decide so. `not_asked`: others are asked. `no_choice`: it is not one of its choices. */
export type ApprovalRefusal = 'not_found' | 'not_asked' | 'no_choice' | Exclude<ApprovalState['state'], 'waiting'>;
