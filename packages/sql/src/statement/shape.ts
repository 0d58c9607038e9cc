/** The texts of a statement or of a piece of one, around its values. */
export class Shape {
  /** With $1, $2, … for the values: one string for whoever keeps something by it. */
  readonly text: string;

  constructor(readonly strings: readonly string[]) {
    this.text = strings.reduce((text, string, index) => `${text}$${index}${string}`);
  }
}

/** Where a template takes more forms than that, somebody outside makes them: what comes later is not remembered. */
const MAX_STEPS = 200;

/**
 * The way to a shape: from a template through the shapes of the pieces in it, each at its place. Templates stand in
 * code, and so there are few ways; most have no piece.
 */
export class ShapePath {
  /** The shape at its end. */
  shape: Shape | null = null;
  private readonly steps: { readonly place: number; readonly piece: Shape; readonly path: ShapePath }[] = [];

  /** The path that goes on through a piece at a place. */
  through(place: number, piece: Shape): ShapePath {
    for (const step of this.steps) if (step.piece === piece && step.place === place) return step.path;
    const path = new ShapePath();
    if (this.steps.length < MAX_STEPS) this.steps.push({ place, piece, path });
    return path;
  }
}
