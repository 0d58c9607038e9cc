/** One line of a chart. */
export interface ChartLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** A colour of the theme; the look tells lines apart as well. */
  readonly colour: 'queued' | 'running' | 'succeeded' | 'failed' | 'dead';
  readonly look: 'area' | 'dashed' | 'bars' | 'outlined bars';
  /** What is drawn instead of the values, where one stands on another. */
  readonly drawn?: readonly (number | null)[];
}
