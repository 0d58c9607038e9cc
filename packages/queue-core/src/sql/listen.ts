/** Somebody asked to cancel a running run; the payload is its id. */
export const CANCEL_CHANNEL = 'duework_cancel';

/** Something may be due. */
export const WAKE_CHANNEL = 'duework_wake';

/** For a connection that stays: through a pooler in transaction mode nobody would hear anything. */
export const LISTEN = `LISTEN ${CANCEL_CHANNEL}; LISTEN ${WAKE_CHANNEL}`;
