/** A pointer into a payload without anything that is in it: indices and keys that no schema declares become `*`. */
export const hidePath = (pointer: string, declared: ReadonlySet<string>): string =>
  pointer
    .split('/')
    .map((name) => (name === '' || declared.has(unescape(name)) ? name : '*'))
    .join('/');

const unescape = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');
