/** Somebody asked to cancel a running run; the payload is its id. */
export const CANCEL_CHANNEL = 'duework_cancel';

/** Something may be due; the payload is its queue, or empty for any, or a schedule. */
export const WAKE_CHANNEL = 'duework_wake';
