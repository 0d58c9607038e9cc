/** A part of a text: from one character up to the one before another. */
export interface Place {
  readonly from: number;
  readonly to: number;
}
