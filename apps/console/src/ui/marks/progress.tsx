import { Bar } from './bar.js';

/** How far a handler says it is: a share of 1, and its words. null: it has told nothing that is a number. */
export function readProgress(value: unknown): { readonly share: number; readonly words: string } | null {
  const share = readShare(value);
  if (share === null || !Number.isFinite(share)) return null;
  const bounded = Math.min(1, Math.max(0, share));
  return { share: bounded, words: `${Math.floor(bounded * 100)} %` };
}

function readShare(value: unknown): number | null {
  if (typeof value === 'number') return value > 1 ? value / 100 : value;
  if (typeof value !== 'object' || value === null) return null;
  const of = value as Record<string, unknown>;
  const number = (...names: readonly string[]): number | undefined =>
    names.map((name) => of[name]).find((one) => typeof one === 'number') as number | undefined;
  const done = number('done', 'current', 'processed');
  const total = number('total', 'of', 'count');
  if (done !== undefined && total !== undefined && total > 0) return done / total;
  const percent = number('percent', 'percentage');
  return percent === undefined ? (number('share', 'progress') ?? null) : percent / 100;
}

/** A bar with its figure. */
export function Progress({ value }: { readonly value: unknown }) {
  const progress = readProgress(value);
  if (progress === null) return null;
  return (
    <span className="inline-flex w-full max-w-48 items-center gap-2 align-middle">
      <Bar value={progress.share} max={1} className="flex-1" />
      <span className="w-9 text-right text-xs text-soft">{progress.words}</span>
    </span>
  );
}
