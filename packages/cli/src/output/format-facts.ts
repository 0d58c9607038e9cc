import { cleanText } from './clean-text.js';
import { paint, type Look } from './look.js';

/** Lines of names and values, without those that say nothing. */
export function formatFacts(facts: readonly (readonly [string, string | null])[], look: Look): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts
    .flatMap(([name, value]) =>
      value === null ? [] : [`${paint(look, 'dim', name.padEnd(width))}  ${cleanText(value)}\n`],
    )
    .join('');
}
