/**
 * Replaces every comment by spaces, so that what is found afterwards is code and stands where it stood. Strings stay:
 * module names are strings. It is a scanner and no parser; a quote inside a regular expression ends at the line's end.
 */
export function blankComments(source: string): string {
  let out = '';
  let quote = '';
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i];
    const pair = source.slice(i, i + 2);
    if (quote !== '') {
      out += char;
      if (char === '\\') out += source[(i += 1)] ?? '';
      else if (char === quote || (char === '\n' && quote !== '`')) quote = '';
    } else if (pair === '//' || pair === '/*') {
      const close = source.indexOf(pair === '//' ? '\n' : '*/', i + 2);
      const end = close === -1 ? source.length : pair === '//' ? close : close + 2;
      out += source.slice(i, end).replace(/[^\n]/g, ' ');
      i = end - 1;
    } else {
      if (char === "'" || char === '"' || char === '`') quote = char;
      out += char;
    }
  }
  return out;
}
