/** In seconds, from some moment on; never goes back. */
export const readSeconds = (): number => performance.now() / 1_000;
