import type { Sql } from '@duework/sql';

/**
 * The text of a piece of SQL whose values are elements of one array of texts, the parameter $1: for a function of the
 * database that executes it. Its values, which have to be texts or null, are added to `args`.
 */
export function conditionText({ shape: { strings }, values }: Sql, args: (string | null)[]): string {
  return strings.reduce((text, string, index) => {
    const value = values[index - 1];
    if (value !== null && typeof value !== 'string') throw new TypeError('A value of a condition must be a text.');
    return `${text}($1)[${args.push(value)}]${string}`;
  });
}
