/** What an engine is called: a shard by the name of that, and the `table` beside a `dedicated` queue. */
export interface EngineName {
  readonly label: 'shard' | 'engine';
  readonly name: string;
}
