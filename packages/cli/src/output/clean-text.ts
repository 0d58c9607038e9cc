/** Signs that move a terminal's cursor, change its colours or turn a line around. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** A text of others as one line that a terminal only shows: an error's message may hold anything. */
export const cleanText = (text: string): string => text.replaceAll(CONTROL, ' ').trimEnd();
