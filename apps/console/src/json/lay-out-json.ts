const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** JSON with a line per member, its texts and numbers as they are written. */
export function layOutJson(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  let out = '';
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  tokens.forEach((token, index) => {
    const isEmpty = (token === '{' && tokens[index + 1] === '}') || (token === '[' && tokens[index + 1] === ']');
    const closesEmpty = (token === '}' && tokens[index - 1] === '{') || (token === ']' && tokens[index - 1] === '[');
    if (token === '{' || token === '[') {
      depth++;
      out += isEmpty ? token : token + line();
    } else if (token === '}' || token === ']') {
      depth--;
      out += closesEmpty ? token : line() + token;
    } else if (token === ',') out += token + line();
    else out += token === ':' ? ': ' : token;
  });
  return out;
}
