import { hidePath } from './hide-path.js';

/** Where a payload was refused, without what is there, out of the reason of `readPayload`: each path once. */
export function faultPaths(why: string, declared: ReadonlySet<string>): readonly string[] {
  const parts = why
    .slice(0, MAX_READ)
    .replace(/^version \d+(?:, lifted from \d+ to \d+)?: /, '')
    .split('; ');
  return [...new Set(parts.map((part) => hidePath(/^(?:\/\S*)?/.exec(part)![0], declared)))];
}

const MAX_READ = 2_000;
