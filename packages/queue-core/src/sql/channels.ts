/** Somebody asked to cancel a running run; the payload is its id. */
export const CANCEL_CHANNEL = 'duework_cancel';

/** A run may be due: the payload is its queue. An empty payload: a run of any queue may be due, or a schedule. */
export const WAKE_CHANNEL = 'duework_wake';
