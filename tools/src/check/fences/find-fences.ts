/** A TypeScript fence of a page: its text, and the line of the page on which it begins, from 1. */
export interface Fence {
  readonly line: number;
  readonly code: string;
}

const START = /^\s*```(?:ts|tsx|typescript)\b/;
const END = /^\s*```\s*$/;

/** The TypeScript fences of a Markdown text, in their order. */
export function findFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let begun: { line: number; code: string[] } | null = null;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (begun === null) {
      if (START.test(text)) begun = { line: index + 2, code: [] };
    } else if (END.test(text)) {
      fences.push({ line: begun.line, code: begun.code.join('\n') });
      begun = null;
    } else begun.code.push(text);
  }
  return fences;
}
