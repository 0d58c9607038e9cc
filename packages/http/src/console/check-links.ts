import { DueworkError } from '@duework/queue-core';
import { type ConsoleLink, LINK_NAMES } from './console-link.js';

const MOST = 20;
const MAX_WORDS = 40;
const MAX_HREF = 1_000;
const NAME = /\{([^{}]*)\}/g;

/** Returns links that the console may show. Throws `invalid_option`, which says which of them is wrong, and what it has to be. */
export function checkLinks(links: readonly ConsoleLink[]): readonly ConsoleLink[] {
  if (!Array.isArray(links) || links.length > MOST)
    refuse('links of console', `a list of at most ${MOST} links`, links);
  return links.map((link: ConsoleLink, index) => {
    const option = (name: keyof ConsoleLink): string => `links[${index}].${name} of console`;
    const { words, href, where } = (link ?? {}) as Partial<ConsoleLink>;
    if (typeof words !== 'string' || words.trim() === '' || words.length > MAX_WORDS || /[\p{Cc}\p{Cs}]/u.test(words))
      refuse(option('words'), `1 to ${MAX_WORDS} characters on one line`, words);
    if (where === undefined || !Object.hasOwn(LINK_NAMES, where))
      refuse(option('where'), `one of ${Object.keys(LINK_NAMES).join(', ')}`, where);
    checkHref(option('href'), href, LINK_NAMES[where]);
    return { words: words.trim(), href, where };
  });
}

function checkHref(option: string, href: unknown, names: readonly string[]): asserts href is string {
  if (typeof href !== 'string' || href.length > MAX_HREF) refuse(option, `at most ${MAX_HREF} characters`, href);
  const unknown = [...href.matchAll(NAME)].map(([, name]) => name!).find((name) => !names.includes(name));
  if (unknown !== undefined)
    refuse(option, `an address with no other names than ${names.map((name) => `{${name}}`).join(', ')}`, href);
  const origins = ['1', '2'].map((value) => originOf(href.replaceAll(NAME, value)));
  if (origins[0] === null || origins[0] !== origins[1])
    refuse(option, 'an address of http: or https: whose host has no names in braces and no password', href);
}

/** Where an address leads; null: it is none that a link may have. */
function originOf(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const { protocol, origin, username, password } = new URL(href);
  return /^https?:$/.test(protocol) && username + password === '' ? origin : null;
}

function refuse(option: string, expected: string, value: unknown): never {
  throw new DueworkError('invalid_option', { option, expected, value });
}
