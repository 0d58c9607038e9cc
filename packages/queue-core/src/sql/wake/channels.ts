/** Somebody asked to cancel a running run; the payload is its id. */
export const CANCEL_CHANNEL = 'duework_cancel';

/**
 * A run may be due: the payload is its queue, or says more (`take-queues-to-wake.ts`). An empty payload: a run of any
 * queue may be due, or a schedule.
 */
export const WAKE_CHANNEL = 'duework_wake';

/** A handler was told to come back later: the payload is for how many milliseconds a gate is shut, and the gate. */
export const SHUT_CHANNEL = 'duework_shut';

/** Somebody has begun or ended to listen for wake-ups. */
export const LISTENERS_CHANNEL = 'duework_listeners';
