import { styleText } from 'node:util';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** How the answers of commands look: on a terminal with colours that do not carry meaning alone, and as wide as it is. */
export interface Look {
  readonly isColoured: boolean;
  /** Characters of a line; null: nobody looks at lines, and none is cut. */
  readonly columns: number | null;
}

/** For files, pipes and programs. */
export const PLAIN: Look = { isColoured: false, columns: null };

/** A text in that style where the look has colours. */
export function paint({ isColoured }: Look, style: Style | undefined, text: string): string {
  return isColoured && style !== undefined && text !== '' ? styleText(style, text, { validateStream: false }) : text;
}
