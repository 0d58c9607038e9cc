/** A fence of code of a page: its text, the line of the page on which it begins, from 1, and how its file ends. */
export interface Fence {
  readonly line: number;
  readonly code: string;
  readonly ending: 'ts' | 'js';
}

const START = /^\s*```(ts|tsx|typescript|js|javascript)\b/;
const END = /^\s*```\s*$/;

/** The fences of TypeScript and JavaScript of a Markdown text, in their order. */
export function findFences(markdown: string): Fence[] {
  const fences: Fence[] = [];
  let begun: { line: number; code: string[]; ending: Fence['ending'] } | null = null;
  for (const [index, text] of markdown.split('\n').entries()) {
    if (begun === null) {
      const language = START.exec(text)?.[1];
      if (language !== undefined) begun = { line: index + 2, code: [], ending: language.startsWith('j') ? 'js' : 'ts' };
    } else if (END.test(text)) {
      fences.push({ ...begun, code: begun.code.join('\n') });
      begun = null;
    } else begun.code.push(text);
  }
  return fences;
}
