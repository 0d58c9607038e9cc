import type { FilterError } from '@duework/filter';
import { useLayoutEffect, useRef, type RefObject } from 'react';

interface MarkedTextProps {
  readonly text: string;
  readonly errors: readonly FilterError[];
  readonly input: RefObject<HTMLInputElement | null>;
}

/** The same text behind an input, unseen, with a line under what is wrong: it scrolls as the input does. */
export function MarkedText({ text, errors, input }: MarkedTextProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const field = input.current;
    if (field === null) return;
    const follow = (): void => {
      if (box.current !== null) box.current.scrollLeft = field.scrollLeft;
    };
    follow();
    field.addEventListener('scroll', follow);
    return () => field.removeEventListener('scroll', follow);
  });
  return (
    <div
      ref={box}
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 flex items-center overflow-hidden font-mono text-sm whitespace-pre text-transparent max-md:text-base"
    >
      {split(text, errors).map(({ from, part, isWrong }) => (
        <span
          key={from}
          className={isWrong ? 'underline decoration-dead decoration-wavy underline-offset-4' : undefined}
        >
          {part}
        </span>
      ))}
    </div>
  );
}

function split(text: string, errors: readonly FilterError[]) {
  const edges = new Set([0, text.length, ...errors.flatMap(({ from, to }) => [from, Math.max(to, from + 1)])]);
  const sorted = [...edges].filter((edge) => edge <= text.length).toSorted((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => ({
    from,
    part: text.slice(from, sorted[index + 1]),
    isWrong: errors.some((error) => error.from <= from && from < Math.max(error.to, error.from + 1)),
  }));
}
