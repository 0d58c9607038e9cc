/** What an error is called: its code, or its class where it has no code of its own. */
export const errorName = (code: string | null, type: string | null): string | null =>
  (code === 'unexpected_error' ? type : null) ?? code ?? type;
