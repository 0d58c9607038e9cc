/** An answer as it is sent, and sent again: its body is text, because that of a repetition is the same to the byte. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
