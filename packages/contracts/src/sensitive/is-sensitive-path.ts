import { readPath } from './sensitive-path.js';

/**
 * Whether a question about the value at a path of the payload, given as its parts, could be answered from what is sensitive:
 * the value is sensitive, lies in one that is, or holds one. Whoever filters by payloads asks here first: a filter that finds
 * a run tells its value.
 */
export function isSensitivePath(
  { sensitiveEver }: { readonly sensitiveEver: readonly string[] },
  parts: readonly string[],
): boolean {
  return sensitiveEver.some((path) => {
    const sensitive = readPath(path) ?? [];
    const shared = Math.min(sensitive.length, parts.length);
    return sensitive.slice(0, shared).every((part, index) => part === '*' || part === parts[index]);
  });
}
