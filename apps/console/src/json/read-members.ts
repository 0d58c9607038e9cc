/** The members of a JSON object as they are written: a number that JavaScript cannot hold stays what it is. */
export function readMembers(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = text.indexOf('{') + 1;
  while (at > 0 && at < text.length) {
    at = skipBlanks(text, at);
    if (text[at] !== '"') break;
    const nameEnd = endOfString(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const from = skipBlanks(text, text.indexOf(':', nameEnd) + 1);
    const to = endOfValue(text, from);
    members.set(name, text.slice(from, to));
    at = skipBlanks(text, to) + 1;
  }
  return members;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}

function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"') at = endOfString(text, at) - 1;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') {
      if (depth === 0) return at;
      depth--;
    } else if (sign === ',' && depth === 0) return at;
  }
  return text.length;
}
