/** Segments that the queue's own addresses begin with: below one of them nobody could tell which part was meant. */
const OWN = new Set(['v1', 'console', 'docs', 'problems', 'openapi.json', 'metrics', 'livez', 'readyz']);

/** The path below which a handler answers, `''` at the root. Throws an `Error` where it is none, with the fix. */
export function checkBasePath(path: string): string {
  if (path === '' || path === '/') return '';
  if (!/^(\/[\w.~-]+)+$/.test(path))
    throw new Error(
      `basePath is a path such as "/api/queue", without a slash at its end, not ${JSON.stringify(path)}.`,
    );
  if (OWN.has(path.split('/')[1]!))
    throw new Error(`basePath ${path} begins like an address of the queue itself; take another one, such as "/queue".`);
  return path;
}
