import type { ProgramParts } from '../program-parts.js';

const TICK_MS = 1_000;
/** Back to the first column, and clear what stands there. */
const CLEAR = '\r\x1b[2K';

/** What a command does now, for who waits. */
export interface ProgressLine {
  /** A step: in place of what was told before on a terminal, with its seconds; elsewhere a line. */
  step(text: string): void;
  /** A part of the step: on a terminal, in its place; elsewhere only with `--verbose`. */
  detail(text: string): void;
  /** Takes the line away, so that the answer stands alone. */
  end(): void;
}

/** One line that moves on a terminal; a line for each step elsewhere; and each detail, too, where all of it is asked for. */
export function openProgressLine(
  { progress, progressLook }: Pick<ProgramParts, 'progress' | 'progressLook'>,
  isVerbose: boolean,
): ProgressLine {
  const { columns } = progressLook;
  if (columns === null || isVerbose) {
    const tell = (text: string): void => progress(`${text}\n`);
    return { step: tell, detail: isVerbose ? tell : () => {}, end: () => {} };
  }
  let text = '';
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    const seconds = ticks === 0 ? '' : ` ${(ticks * TICK_MS) / 1_000} s`;
    // a line that wraps could not be taken back
    progress(CLEAR + text.slice(0, Math.max(columns - seconds.length - 1, 0)) + seconds);
  };
  const detail = (next: string): void => {
    text = next;
    draw();
  };
  const end = (): void => {
    clearInterval(timer);
    if (text !== '') progress(CLEAR);
    text = '';
  };
  return {
    detail,
    end,
    step: (next) => {
      clearInterval(timer);
      ticks = 0;
      detail(next);
      timer = setInterval(() => (ticks++, draw()), TICK_MS);
    },
  };
}
