/**
 * The same promise, except that it rejects after `limitMs`.
 *
 * @param what for the error: `no answer of the worker`
 */
export async function withLimit<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${Math.round(limitMs / 1_000)} s.`)), limitMs);
  });
  return Promise.race([promise, over]).finally(() => clearTimeout(timer));
}
