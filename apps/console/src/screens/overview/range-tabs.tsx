import { texts } from '../../texts/texts.js';
import { OptionRow } from '../../ui/inputs/option-row.js';
import { RANGES, type Range } from './ranges.js';

const words = texts.overview;

interface RangeTabsProps {
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

/** The last hour, day, or 90 days. */
export function RangeTabs({ range, onRange }: RangeTabsProps) {
  const options = (Object.keys(RANGES) as Range[]).map((id) => ({ id, content: words.ranges[id] }));
  return <OptionRow label={words.range} value={range} options={options} onChange={onRange} />;
}
