import { FILTER_FIELDS } from '@duework/filter';

const TERM = /^-?[a-z]+(\.[^:\s]+)?:\S/;
const FIELD = new RegExp(`^(-?(?:${FILTER_FIELDS.join('|')})(?:\\.[^:\\s]+)?:)\\s*(.+)$`, 's');

/**
 * One filter of the arguments of a command. The shell has taken its own quotes away, so an argument with blanks that has
 * none inside is given them: `'connection refused'` is the text of an error, and `key:'a b'` one key. Several terms in one
 * argument, `'status:dead type:send_mail'`, stay what they are.
 */
export function joinFilter(args: readonly string[]): string {
  return args.map(readArgument).join(' ');
}

function readArgument(given: string): string {
  const arg = given.trim();
  if (!/\s/.test(arg) || arg.includes('"')) return arg;
  if (arg.split(/\s+/).every((word) => TERM.test(word))) return arg;
  const [, field = '', value = arg] = FIELD.exec(arg) ?? [];
  return `${field}"${value.replaceAll('\\', '\\\\')}"`;
}
