import type { Json, Via } from '@duework/queue-core';

/** What is done to each job, and with what. */
export type BulkChange =
  | {
      readonly verb: 'retry';
      /**
       * For jobs that are dead with `effect_unknown`: you have checked, and the effect happened (true) or did not
       * (false). Unless given, those jobs are refused.
       */
      readonly effectsHappened?: boolean | undefined;
      /** Their new priority: with 9 they run behind whatever else is due. */
      readonly priority?: number | undefined;
    }
  | { readonly verb: 'cancel' | 'free_key' | 'delete' }
  | {
      readonly verb: 'reschedule';
      readonly runAt: Date;
      /** Spreads the jobs evenly over this long after `runAt`. */
      readonly spreadMs?: number | undefined;
      /** Only jobs that were due before. */
      readonly dueBefore?: Date | undefined;
    }
  | { readonly verb: 'change_priority'; readonly priority: number }
  | { readonly verb: 'change_queue'; readonly queue: string }
  | {
      readonly verb: 'edit_payload';
      /** The names on the way to the field: `['address', 'zip']`. */
      readonly path: readonly string[];
      /** Its new value; undefined removes the field. */
      readonly value?: Json | undefined;
    };

export const BULK_VERBS = [
  'retry',
  'cancel',
  'reschedule',
  'change_priority',
  'change_queue',
  'edit_payload',
  'free_key',
  'delete',
] as const;
export type BulkVerb = (typeof BULK_VERBS)[number];

export type BulkRequest = BulkChange & {
  /** Which jobs, in the language of filters. Without a `status:` it means those that the verb is for. */
  readonly filter: string;
  /** How many jobs a second at most, 1 to 100,000; 5,000 unless given. */
  readonly perSecond?: number | undefined;
  /** Refuses to begin if more jobs match: the preview's number. */
  readonly atMost?: number | undefined;
};

/** Why jobs are left as they are. A code is stable. */
export type BulkRefusal =
  | 'transition_not_allowed'
  | 'effect_unknown'
  | 'no_key'
  | 'invalid_payload'
  | 'payload_offloaded'
  | 'number_not_kept'
  | 'unknown_job_version'
  | 'key_missing'
  | 'changed_meanwhile';

export interface BulkAction {
  readonly id: string;
  readonly verb: BulkVerb | 'undo';
  /** As it was typed; of an undo empty. */
  readonly filter: string;
  /**
   * The rest of the request; the value of an edited field is forgotten when the action has ended, and never shown if
   * sensitive.
   */
  readonly options: { readonly [name: string]: unknown };
  /** The action that this one undoes. */
  readonly undoOf: string | null;
  readonly status: 'running' | 'finished' | 'aborted';
  readonly by: string;
  readonly via: Via;
  readonly from: string | null;
  readonly reason: string | null;
  /** How many jobs fitted when it began; `isAtLeast`: there were more than were counted. */
  readonly total: { readonly count: number; readonly isAtLeast: boolean };
  readonly done: number;
  readonly refused: { readonly [code in BulkRefusal]?: number };
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** Until when it can be undone; null: it cannot, cannot any more, or has been. */
  readonly undoUntil: Date | null;
}
