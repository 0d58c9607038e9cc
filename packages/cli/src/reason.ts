/** The option of every command that the audit has an entry of. */
export const REASON = ['--reason <text>', 'the reason, for the audit'] as const;
