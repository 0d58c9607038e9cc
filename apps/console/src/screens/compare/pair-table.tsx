import type { ReactNode } from 'react';
import { texts } from '../../texts/texts.js';

const words = texts.compare;

interface PairTableProps {
  readonly title: string;
  readonly name: string;
  /** Rows that are shown, of how many. */
  readonly shown: number;
  readonly all: number;
  readonly children: ReactNode;
}

/** A part of two jobs side by side, and how much of it is not shown because it is the same. */
export function PairTable({ title, name, shown, all, children }: PairTableProps) {
  return (
    <section className="mt-6">
      <h2 className="mb-1.5 text-sm font-semibold">{title}</h2>
      {shown > 0 && (
        <table aria-label={title} className="w-full table-fixed rounded-md border border-line bg-surface">
          <thead>
            <tr className="text-left text-xs text-faint">
              <th scope="col" className="w-[26%] px-3 py-1.5 font-medium">
                {name}
              </th>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {words.one}
              </th>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {words.other}
              </th>
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
      {shown < all && <p className="mt-1 text-xs text-soft">{shown === 0 ? words.allSame : words.same(all - shown)}</p>}
    </section>
  );
}
