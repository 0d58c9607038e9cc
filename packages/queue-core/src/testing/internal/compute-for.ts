/** Keeps the event loop busy for `ms`. */
export function computeFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}
