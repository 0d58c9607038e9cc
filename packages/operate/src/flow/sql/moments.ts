/** `T` as the database tells it in JSON: these of its moments in milliseconds. */
export type Moments<T, K extends keyof T> = Omit<T, K> & { readonly [M in K]: number | null };

export const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
