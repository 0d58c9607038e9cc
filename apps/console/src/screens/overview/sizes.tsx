import { useDoctor } from '../../api/now-queries.js';
import type { Schemas } from '../../api/api-types.js';
import { texts } from '../../texts/texts.js';
import { formatBytes } from '../../time/format-bytes.js';
import { Bar } from '../../ui/marks/bar.js';

const words = texts.overview.sizes;
/** How many tables are named, the largest first. */
const MOST = 6;

type Size = Schemas['DatabaseSize'] & { readonly shard?: string };

/** How large the queue is, by table, how fast it grows, and how long the disk lasts; only an administrator is told. */
export function Sizes() {
  const sizes: readonly Size[] = useDoctor().data?.sizes ?? [];
  if (sizes.length === 0) return null;
  return (
    <section className="mt-5" aria-label={words.title}>
      <h2 className="mb-1.5 text-sm font-semibold">{words.title}</h2>
      <div className="flex flex-col gap-4">
        {sizes.map((size, index) => (
          <OneSize key={size.shard ?? index} size={size} />
        ))}
      </div>
    </section>
  );
}

function OneSize({ size }: { readonly size: Size }) {
  const { bytes, tables, growthPerDay, keepDays, needed, used, disk, daysLeft, shard } = size;
  const largest = tables[0]?.bytes ?? 1;
  const room =
    disk === null ? words.noDisk : words.disk(formatBytes(used), formatBytes(disk), daysLeft && Math.round(daysLeft));
  return (
    <div className="rounded-lg border border-line bg-surface px-3 py-2.5">
      <p className="text-soft">
        {shard !== undefined && <span className="mr-2 font-mono text-xs">{shard}</span>}
        <span className="font-medium text-ink">{words.takes(formatBytes(bytes))}</span>{' '}
        {growthPerDay === null ? words.growthUnknown : words.grows(formatBytes(growthPerDay))}{' '}
        {needed !== null && keepDays !== null && words.needs(keepDays, formatBytes(needed))}{' '}
        <span className={daysLeft === null ? '' : 'font-medium text-failed'}>{room}</span>
      </p>
      <table className="mt-2 w-full text-xs">
        <caption className="sr-only">{words.byTable}</caption>
        <tbody>
          {tables.slice(0, MOST).map((table) => (
            <tr key={table.name}>
              <th scope="row" className="w-px py-0.5 pr-3 text-left font-mono font-normal whitespace-nowrap">
                {table.name}
              </th>
              <td className="w-px pr-3 text-right whitespace-nowrap tabular-nums">{formatBytes(table.bytes)}</td>
              <td>
                <Bar value={table.bytes} max={largest} aria-hidden="true" className="block w-full max-w-72" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tables.length > MOST && (
        <p className="mt-1 text-xs text-faint">
          {words.more(
            tables.length - MOST,
            formatBytes(tables.slice(MOST).reduce((sum, table) => sum + table.bytes, 0)),
          )}
        </p>
      )}
    </div>
  );
}
