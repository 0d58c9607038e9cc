/** What job types, queues and signals may be called: letters, digits, `_`, `-` and `.`, a letter first, at most 63. */
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;

/** As a message says it. */
export const NAME_RULE = 'letters, digits, "_", "-" and ".", a letter first, at most 63 characters';

/** Whether a text can be the name of a job type, a queue or a signal. */
export const isName = (text: unknown): text is string => typeof text === 'string' && NAME.test(text);
