/** What the rehearsal reads of the API's answers. */
export interface Action {
  readonly id: string;
  readonly verb: string;
  readonly status: 'running' | 'finished' | 'aborted';
  readonly done: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly total: { readonly count: number };
}

export interface Preview {
  readonly count: { readonly count: number; readonly isAtLeast: boolean };
  readonly refused: readonly { readonly code: string; readonly count: number | null }[];
}

export interface Counted {
  readonly count: number;
  readonly atLeast: boolean;
  readonly text: string;
}

export interface Entry {
  readonly at: string;
  readonly by: string;
  readonly verb: string;
  readonly kind: string;
  readonly target: string;
  readonly reason: string | null;
}
