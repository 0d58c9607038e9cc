/** One way to enqueue, and its share of the calls. */
export interface WeightedWay {
  readonly weight: number;
  readonly act: () => Promise<unknown>;
}
