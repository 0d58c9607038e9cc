/** The options that many commands have: of what the audit has an entry of, of lists, and of what is printed. */
export const REASON = ['--reason <text>', 'the reason, for the audit'] as const;
export const LIMIT = ['--limit <n>', 'show at most this many'] as const;
export const CURSOR = ['--cursor <cursor>', 'continue after the page that ended with this'] as const;
export const PRINTED = ['--json', 'print JSON'] as const;
