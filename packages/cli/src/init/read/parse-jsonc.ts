/** JSON with comments and commas at the end, as tsconfig.json has them; undefined when it is not that either. */
export function parseJsonc(text: string): unknown {
  const plain = text.replace(
    /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g,
    (token) => (token.startsWith('"') ? token : ''),
  );
  try {
    return JSON.parse(plain.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
